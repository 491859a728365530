import { ActionIcon, Group, NativeSelect, NumberInput, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { strings } from '#strings/files.ts'
import { useActions } from '#web/keyboard/actions.ts'
import classes from './preview.module.css'

export const ZOOMS = ['width', 'page', 'large'] as const
export type Zoom = (typeof ZOOMS)[number]

interface PreviewBarProps {
  page: number
  pages: number
  goTo: (page: number) => void
  zoom?: { value: Zoom; choose: (zoom: Zoom) => void }
  children?: ReactNode
}

/** Turns the pages of a file, also with the keys `n` and `p`. */
export function PreviewBar({ page, pages, goTo, zoom, children }: PreviewBarProps) {
  const [typed, type] = useState<string | number>(page)
  useEffect(() => type(page), [page])
  const turn = (to: number) => {
    if (to >= 1 && to <= pages && to !== page) goTo(to)
  }
  useActions([
    {
      ...{ id: 'next-page', label: strings.nextPage, group: strings.group, keys: ['n', 'ArrowRight'] },
      ...{ run: () => turn(page + 1), disabled: page >= pages },
    },
    {
      ...{ id: 'previous-page', label: strings.previousPage, group: strings.group, keys: ['p', 'ArrowLeft'] },
      ...{ run: () => turn(page - 1), disabled: page <= 1 },
    },
  ])
  const goToTyped = () => {
    const to = Math.min(pages, Math.max(1, Math.round(Number(typed)) || page))
    type(to)
    turn(to)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') goToTyped()
  }
  return (
    <Group className={`${classes.bar} print-hidden`} justify="space-between" gap="xs">
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="default"
          size={30}
          aria-label={strings.previousPage}
          disabled={page <= 1}
          onClick={() => turn(page - 1)}
        >
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <NumberInput
          size="xs"
          w={52}
          aria-label={strings.page}
          value={typed}
          onChange={type}
          onBlur={goToTyped}
          onKeyDown={press}
          min={1}
          max={pages}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          styles={{ input: { textAlign: 'center' } }}
        />
        <Text size="sm" c="dimmed" role="status">
          {strings.ofPages(pages)}
        </Text>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={strings.nextPage}
          disabled={page >= pages}
          onClick={() => turn(page + 1)}
        >
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {children}
      {zoom && (
        <NativeSelect
          size="xs"
          aria-label={strings.zoom}
          value={zoom.value}
          onChange={({ currentTarget }) =>
            zoom.choose(ZOOMS.find((known) => known === currentTarget.value) ?? 'width')
          }
          data={ZOOMS.map((value) => ({ value, label: strings.zooms[value] }))}
        />
      )}
    </Group>
  )
}
