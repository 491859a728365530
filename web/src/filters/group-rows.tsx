import { Button, CloseButton, NativeSelect, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { strings } from '#strings/filters.ts'
import { ConditionRow } from './condition-row.tsx'
import {
  type Draft,
  type DraftGroup,
  isAllowedChange,
  isGroup,
  newCondition,
  newGroup,
  withDraft,
} from './draft.ts'
import classes from './filters.module.css'
import type { FieldMap } from './use-fields.ts'

/** State and actions that the rows of a filter share. */
export interface Editing {
  root: DraftGroup
  /** Replaces the entire draft. The part with the id `focus` gets the focus. */
  put: (root: DraftGroup, focus?: number) => void
  focused: number | undefined
  fields: FieldMap
}

interface GroupRowsProps {
  group: DraftGroup
  editing: Editing
}

/** The conditions of a group, with buttons that add to it. */
export function GroupRows({ group, editing }: GroupRowsProps) {
  const { root, put } = editing
  const changed = (next: Draft | undefined, id: number): DraftGroup =>
    id === root.id ? ((next as DraftGroup) ?? newGroup([])) : withDraft(root, id, () => next)
  const replace = (id: number, next: Draft | undefined) => put(changed(next, id))
  const adding = (part: Draft) => changed({ ...group, parts: [...group.parts, part] }, group.id)
  const mayAdd = (part: Draft) => isAllowedChange(root, adding(part))
  const add = (part: Draft, focus: number) => put(adding(part), focus)
  return (
    <>
      {group.parts.map((part, index) => (
        <Row
          key={part.id}
          part={part}
          index={index}
          editing={editing}
          lead={
            <Lead group={group} index={index} editing={editing} change={(next) => replace(group.id, next)} />
          }
          change={(next) => replace(part.id, next)}
        />
      ))}
      <div className={classes.add}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={!mayAdd(newCondition())}
          data-add
          onClick={() => {
            const condition = newCondition()
            add(condition, condition.id)
          }}
        >
          {strings.addCondition}
        </Button>
        {mayAdd(newGroup([newCondition()])) && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              const condition = newCondition()
              add(newGroup([condition], group.join === 'and' ? 'or' : 'and'), condition.id)
            }}
          >
            {strings.addGroup}
          </Button>
        )}
      </div>
    </>
  )
}

interface RowProps {
  part: Draft
  index: number
  editing: Editing
  lead: ReactNode
  change: (part: Draft | undefined) => void
}

/** A condition, or a group in a frame. */
function Row({ part, index, editing, lead, change }: RowProps) {
  const remove = () => change(undefined)
  if (!isGroup(part))
    return (
      <ConditionRow
        condition={part}
        position={index + 1}
        fields={editing.fields}
        lead={lead}
        isFocused={part.id === editing.focused}
        change={change}
        remove={remove}
      />
    )
  return (
    <fieldset className={classes.row} aria-label={strings.group(index + 1)}>
      <div className={classes.lead}>{lead}</div>
      <div className={classes.group}>
        <GroupRows group={part} editing={editing} />
      </div>
      <CloseButton
        size="sm"
        className={classes.remove}
        aria-label={strings.removeGroup(index + 1)}
        onClick={remove}
      />
    </fieldset>
  )
}

interface LeadProps {
  group: DraftGroup
  index: number
  editing: Editing
  change: (group: DraftGroup) => void
}

/** The word before a condition. The first one negates the group, and the second one says how it is joined. */
function Lead({ group, index, editing: { root }, change }: LeadProps) {
  if (index === 0) {
    const negated = { ...group, isNegated: true }
    const after = group.id === root.id ? negated : withDraft(root, group.id, () => negated)
    return (
      <NativeSelect
        size="xs"
        aria-label={strings.start}
        data={[
          { value: 'where', label: strings.where },
          {
            value: 'except',
            label: strings.exceptWhere,
            disabled: !group.isNegated && !isAllowedChange(root, after),
          },
        ]}
        value={group.isNegated ? 'except' : 'where'}
        onChange={(event) => change({ ...group, isNegated: event.currentTarget.value === 'except' })}
      />
    )
  }
  if (index === 1)
    return (
      <NativeSelect
        size="xs"
        aria-label={strings.conjunction}
        data={[
          { value: 'and', label: strings.and },
          { value: 'or', label: strings.or },
        ]}
        value={group.join}
        onChange={(event) => change({ ...group, join: event.currentTarget.value === 'or' ? 'or' : 'and' })}
      />
    )
  return (
    <Text size="xs" c="dimmed" px={10}>
      {strings[group.join]}
    </Text>
  )
}
