import { ActionIcon, Button, Checkbox, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPin, IconSearch } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { strings } from '#strings/columns.ts'
import { isFocusFree } from '#web/browser/focus.ts'
import { inShownOrder } from '#web/views/column-state.ts'
import type { Column } from './column.ts'
import classes from './column-chooser.module.css'
import type { ColumnActions } from './use-column-actions.ts'
import type { ChosenColumns } from './use-columns.ts'

/** Every field: the shown ones in their order, to move and pin, and the others. */
export function ColumnChooser({ first, shown, known, actions }: ChosenColumns) {
  const [search, setSearch] = useState('')
  const [dragged, setDragged] = useState<string | null>(null)
  const lists = useRef<HTMLDivElement>(null)
  const followFocus = useFocusToggled(lists)
  const toggle = (field: string, isShown: boolean) => {
    followFocus(field, isShown)
    actions.show(field, isShown)
  }
  const isMatch = ({ label }: Column) => label.toLowerCase().includes(search.trim().toLowerCase())
  const shownColumns = inShownOrder(shown)
    .filter(({ field }) => field !== first)
    .flatMap((state) => {
      const column = known.get(state.field)
      return column && isMatch(column) ? [{ ...column, isPinned: state.pinned === true }] : []
    })
  const fields = new Set(shown.map(({ field }) => field))
  const hidden = [...known.values()].filter(
    (column) => column.field !== first && !column.isRetired && !fields.has(column.field) && isMatch(column),
  )
  return (
    <Stack gap="xs">
      <TextInput
        size="xs"
        aria-label={strings.findColumn}
        placeholder={strings.findColumn}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <ScrollArea.Autosize ref={lists} mah="min(24rem, 50vh)" type="auto" offsetScrollbars>
        {shownColumns.length > 0 && (
          <>
            <Text size="xs" c="dimmed" id="shown-columns">
              {strings.shownColumns}
            </Text>
            <ul className={classes.list} aria-labelledby="shown-columns">
              {shownColumns.map((column) => (
                <li
                  key={column.field}
                  className={classes.item}
                  draggable
                  onDragStart={() => setDragged(column.field)}
                  onDragEnd={() => setDragged(null)}
                  onDragOver={(event) => dragged && event.preventDefault()}
                  onDrop={() => dragged && dropOn(dragged, column.field, shownColumns, actions)}
                >
                  <IconGripVertical size={14} aria-hidden className={classes.grip} />
                  <Checkbox
                    size="xs"
                    className={classes.label}
                    label={<bdi>{column.label}</bdi>}
                    name={column.field}
                    checked
                    onChange={() => toggle(column.field, false)}
                  />
                  <ShownActions column={column} actions={actions} />
                </li>
              ))}
            </ul>
          </>
        )}
        {hidden.length > 0 && (
          <>
            <Text size="xs" c="dimmed" mt="xs" id="hidden-columns">
              {strings.hiddenColumns}
            </Text>
            <ul className={classes.list} aria-labelledby="hidden-columns">
              {hidden.map(({ field, label }) => (
                <li key={field} className={classes.item}>
                  <Checkbox
                    size="xs"
                    className={classes.label}
                    label={<bdi>{label}</bdi>}
                    name={field}
                    checked={false}
                    onChange={() => toggle(field, true)}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
        {shownColumns.length + hidden.length === 0 && <Text size="xs">{strings.noColumns}</Text>}
      </ScrollArea.Autosize>
      <Button variant="subtle" size="compact-xs" onClick={actions.reset}>
        {strings.resetColumns}
      </Button>
    </Stack>
  )
}

function dropOn(dragged: string, target: string, shown: readonly Column[], actions: ColumnActions): void {
  const at = (field: string) => shown.findIndex((column) => column.field === field)
  actions.move(dragged, target, at(dragged) < at(target) ? 'after' : 'before')
}

const MOVES = [
  { by: -1, name: strings.moveUp, Icon: IconArrowUp },
  { by: 1, name: strings.moveDown, Icon: IconArrowDown },
] as const

interface ShownActionsProps {
  column: Column & { isPinned: boolean }
  actions: ColumnActions
}

function ShownActions({ column: { field, label, isPinned }, actions }: ShownActionsProps) {
  return (
    <>
      <ActionIcon
        variant={isPinned ? 'light' : 'subtle'}
        color={isPinned ? undefined : 'gray'}
        size={24}
        aria-label={strings.pinColumn(label)}
        aria-pressed={isPinned}
        onClick={() => actions.pin(field, !isPinned)}
      >
        <IconPin size={14} aria-hidden />
      </ActionIcon>
      {MOVES.map(({ by, name, Icon }) => (
        <ActionIcon
          key={by}
          variant="subtle"
          color="gray"
          size={24}
          aria-label={name(label)}
          aria-disabled={!actions.canShift(field, by)}
          onClick={() => actions.shift(field, by)}
        >
          <Icon size={14} aria-hidden />
        </ActionIcon>
      ))}
    </>
  )
}

/**
 * Keeps the focus on a checkbox that moves to another list when it is toggled, which React does by making a new one.
 * Call the result before toggling, with the checkbox's name.
 */
function useFocusToggled(lists: RefObject<HTMLElement | null>): (name: string, isChecked: boolean) => void {
  const toggled = useRef<{ name: string; isChecked: boolean; isKeyboard: boolean } | null>(null)
  useEffect(() => {
    if (!toggled.current) return
    const { name, isChecked, isKeyboard } = toggled.current
    const checkbox = lists.current?.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)
    if (checkbox?.checked !== isChecked) return
    // With the mouse, the lists stay where they are, so that the next checkbox is still below the pointer.
    if (isFocusFree()) checkbox.focus({ preventScroll: !isKeyboard })
    toggled.current = null
  })
  return (name, isChecked) => {
    const isKeyboard = document.activeElement?.matches(':focus-visible') === true
    toggled.current = { name, isChecked, isKeyboard }
  }
}
