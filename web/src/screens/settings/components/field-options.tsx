import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { MAX_FIELD_LABEL_LENGTH, MAX_FIELD_OPTIONS } from '#src/client/limits.ts'
import { strings } from '#strings/custom-fields.ts'
import { moved, newOption, type OptionDraft } from './option-drafts.ts'

interface FieldOptionsProps {
  options: OptionDraft[]
  onChange: (options: OptionDraft[]) => void
  legend?: string
  help?: string
  /** The most options. */
  max?: number
}

/** The options of a choice, in their order. Enter adds another one. */
export function FieldOptions({
  options,
  onChange,
  legend = strings.options,
  max = MAX_FIELD_OPTIONS,
  help = strings.optionsHelp(max),
}: FieldOptionsProps) {
  const added = useRef<number | null>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (added.current === null) return
    list.current?.querySelector<HTMLInputElement>(`[data-row="${added.current}"]`)?.focus()
    added.current = null
  })
  const isFull = options.length >= max
  const add = (index = options.length) => {
    if (isFull) return
    const option = newOption()
    added.current = option.row
    onChange(options.toSpliced(index, 0, option))
  }
  const press = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    add(index + 1)
  }
  return (
    <Fieldset legend={legend} p="xs">
      <Stack gap="xs" ref={list}>
        <Text size="xs" c="dimmed">
          {help}
        </Text>
        {options.map((option, index) => {
          const name = option.label || strings.option(index + 1)
          return (
            <Group key={option.row} gap={4} wrap="nowrap">
              <TextInput
                data-row={option.row}
                aria-label={strings.option(index + 1)}
                value={option.label}
                onChange={(event) =>
                  onChange(options.toSpliced(index, 1, { ...option, label: event.currentTarget.value }))
                }
                onKeyDown={(event) => press(event, index)}
                maxLength={MAX_FIELD_LABEL_LENGTH}
                size="xs"
                dir="auto"
                style={{ flex: 1 }}
              />
              <IconButton
                label={strings.moveUp(name)}
                isDisabled={index === 0}
                act={() => onChange(moved(options, index, -1))}
              >
                <IconArrowUp size={14} aria-hidden />
              </IconButton>
              <IconButton
                label={strings.moveDown(name)}
                isDisabled={index === options.length - 1}
                act={() => onChange(moved(options, index, 1))}
              >
                <IconArrowDown size={14} aria-hidden />
              </IconButton>
              <IconButton
                label={strings.removeOption(name)}
                act={() => onChange(options.toSpliced(index, 1))}
              >
                <IconTrash size={14} aria-hidden />
              </IconButton>
            </Group>
          )
        })}
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => add()}
          disabled={isFull}
          style={{ alignSelf: 'flex-start' }}
        >
          {strings.addOption}
        </Button>
      </Stack>
    </Fieldset>
  )
}

interface IconButtonProps {
  label: string
  isDisabled?: boolean
  act: () => void
  children: ReactNode
}

/** Stays in the tab order when it is disabled, so that the focus is not lost. */
export function IconButton({ label, isDisabled = false, act, children }: IconButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-disabled={isDisabled}
      data-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && act()}
    >
      {children}
    </ActionIcon>
  )
}
