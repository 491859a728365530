import { Radio, Stack, Text, Title } from '@mantine/core'
import { strings } from '#strings/duplicates.ts'
import { formatValue } from '#web/activity/field-value.ts'
import { fieldName } from '#web/activity/sentence-slots.ts'
import classes from './merge-conflicts.module.css'

export interface Conflict {
  field: string
  /** By the id of the record. */
  values: Record<string, unknown>
  /** The record whose value the service would keep. */
  chosen: string
  /** Of lists that are united: what does not fit. */
  left_out?: string[]
}

interface MergeConflictsProps {
  of: 'company' | 'person'
  records: readonly { id: string; name: string }[]
  conflicts: readonly Conflict[]
  leavesOut?: (field: string, fields: ReadonlySet<string>) => boolean
  /** The id of the record whose value a field keeps, by field. */
  choices: Record<string, string>
  choose: (field: string, id: string) => void
}

/** The fields that differ, side by side. Native radio buttons: the arrow keys choose, and Enter submits the form. */
export function MergeConflicts(props: MergeConflictsProps) {
  const { of, records, conflicts, leavesOut = () => false, choices, choose } = props
  const fields = new Set(conflicts.map(({ field }) => field))
  const isLink = ({ field }: Conflict) => field.startsWith('companies.')
  const shown = conflicts.filter((one) => !one.left_out && !isLink(one) && !leavesOut(one.field, fields))
  const shortened = conflicts.filter(({ left_out }) => left_out)
  const links = conflicts.filter(isLink)
  if (shown.length + shortened.length + links.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {strings.noConflicts}
      </Text>
    )
  return (
    <Stack gap="xs">
      {shown.length > 0 && (
        <>
          <Title order={3} size="h6">
            {strings.conflicts}
          </Title>
          <Text size="xs" c="dimmed">
            {strings.conflictsHelp}
          </Text>
        </>
      )}
      <div>
        {shown.map(({ field, values, chosen }) => (
          <fieldset key={field} className={classes.field}>
            <legend className={classes.name}>{fieldName(field, of)}</legend>
            <div
              className={classes.values}
              style={{ gridTemplateColumns: `repeat(${records.length}, minmax(9rem, 1fr))` }}
            >
              {records.map(({ id }) => (
                <Radio
                  key={id}
                  name={`merge ${field}`}
                  value={id}
                  checked={(choices[field] ?? chosen) === id}
                  onChange={() => choose(field, id)}
                  label={<span className={classes.value}>{formatValue(field, values[id], of)}</span>}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      {links.map(({ field, values, chosen }) => (
        <Text key={field} size="sm">
          {strings.linkStays(fieldName(field, of), formatValue(field, values[chosen], of))}
        </Text>
      ))}
      {shortened.map(({ field, left_out = [] }) => (
        <Text key={field} size="sm">
          {strings.leftOut(fieldName(field, of), left_out.join(', '))}
        </Text>
      ))}
    </Stack>
  )
}
