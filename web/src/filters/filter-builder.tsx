import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { MAX_FILTER_LEAVES } from '#src/client/limits.ts'
import { strings } from '#strings/filters.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import {
  countConditions,
  type DraftGroup,
  draftOf,
  filterOf,
  isWellFormed,
  newCondition,
  newGroup,
} from './draft.ts'
import classes from './filters.module.css'
import { GroupRows } from './group-rows.tsx'
import type { ChangeFilter, Filter } from './tree.ts'
import { type FieldMap, type FilterEntity, useFields } from './use-fields.ts'

/** Typing changes the list after a pause. */
const DEBOUNCE_MS = 300

interface FilterBuilderProps {
  entity: FilterEntity
  value: Filter | undefined
  onChange: ChangeFilter
  /** The condition to edit, as an index at the top level; undefined for a new one. */
  at: number | undefined
  close: () => void
}

/** Edits a filter as a sentence. Each complete change applies. */
export function FilterBuilder(props: FilterBuilderProps) {
  const fields = useQuery(fieldQueries.fields(props.entity))
  const byName = useFields(props.entity)
  if (fields.isPending) return <SkeletonLines lines={3} />
  if (!fields.data) return <ErrorState error={fields.error} retry={() => fields.refetch()} />
  return <Builder {...props} fields={byName} />
}

function Builder({ value, onChange, at, close, fields }: FilterBuilderProps & { fields: FieldMap }) {
  const [{ root, focused }, setState] = useState(() => initialState(value, at, fields))
  const send = useDebouncedFilter(value, onChange)
  const body = useRef<HTMLDivElement>(null)
  const put = (next: DraftGroup, focus?: number) => {
    setState({ root: next, focused: focus })
    send(filterOf(next, fields))
    if (countConditions(next) < countConditions(root))
      body.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  const clear = () => {
    const condition = newCondition()
    put(newGroup([condition]), condition.id)
  }
  return (
    <Stack gap="xs" ref={body}>
      {value !== undefined && !isWellFormed(value) && <Alert color="orange">{strings.unreadable}</Alert>}
      <div className={classes.rows}>
        <GroupRows group={root} editing={{ root, put, focused, fields }} />
      </div>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {countConditions(root) >= MAX_FILTER_LEAVES && strings.limit(MAX_FILTER_LEAVES)}
        </Text>
        <Group gap="xs">
          <Button variant="subtle" size="xs" onClick={clear}>
            {strings.clear}
          </Button>
          <Button variant="default" size="xs" onClick={close}>
            {strings.done}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

/** The draft of the filter, with the condition to edit, or a new one if there is none. */
function initialState(
  value: Filter | undefined,
  at: number | undefined,
  fields: FieldMap,
): { root: DraftGroup; focused: number | undefined } {
  const draft = draftOf(value, fields)
  // A filter that is one part at the top level is one chip.
  const part =
    at === undefined ? undefined : draft.join === 'and' && !draft.isNegated ? draft.parts[at] : draft.parts[0]
  if (part) return { root: draft, focused: firstCondition(part) }
  const last = draft.parts.at(-1)
  if (last) return { root: draft, focused: firstCondition(last) }
  const condition = newCondition()
  return { root: newGroup([condition]), focused: condition.id }
}

const firstCondition = (draft: DraftGroup['parts'][number]): number =>
  'parts' in draft && draft.parts[0] ? firstCondition(draft.parts[0]) : draft.id

/** Reports a filter after a pause, and when the builder closes. The first change is an entry of the history. */
function useDebouncedFilter(value: Filter | undefined, onChange: ChangeFilter) {
  const sent = useRef(JSON.stringify(value))
  const isFirst = useRef(true)
  const pending = useRef<{ filter: Filter | undefined; timer: ReturnType<typeof setTimeout> }>(undefined)
  const report = useRef(onChange)
  report.current = onChange
  const flush = useRef(() => {
    const filter = pending.current?.filter
    if (!pending.current) return
    clearTimeout(pending.current.timer)
    pending.current = undefined
    const text = JSON.stringify(filter)
    if (text === sent.current) return
    sent.current = text
    report.current(filter, { replace: !isFirst.current })
    isFirst.current = false
  }).current
  useEffect(() => flush, [flush])
  return (filter: Filter | undefined) => {
    clearTimeout(pending.current?.timer)
    pending.current = { filter, timer: setTimeout(flush, DEBOUNCE_MS) }
  }
}
