import { Radio, Stack, Text, Title } from '@mantine/core'
import { strings } from '#strings/duplicates.ts'
import { formatValue } from '#web/activity/field-value.ts'
import { fieldName } from '#web/activity/sentence-slots.ts'
import classes from './merge-conflicts.module.css'

interface Conflict {
  field: string
  /** By the id of the company. */
  values: Record<string, unknown>
  /** The company whose value the service would keep. */
  chosen: string
}

interface MergeConflictsProps {
  companies: { id: string; name: string }[]
  conflicts: Conflict[]
  /** The id of the company whose value a field keeps, by field. */
  choices: Record<string, string>
  choose: (field: string, id: string) => void
}

/** The fields that differ, side by side. Native radio buttons: the arrow keys choose, and Enter submits the form. */
export function MergeConflicts({ companies, conflicts, choices, choose }: MergeConflictsProps) {
  const fields = new Set(conflicts.map(({ field }) => field))
  // The details of a score come with the score.
  const shown = conflicts.filter(
    ({ field }) => field !== 'llm_score_details' || !fields.has('llm_score_overall'),
  )
  if (shown.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {strings.noConflicts}
      </Text>
    )
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        {strings.conflicts}
      </Title>
      <Text size="xs" c="dimmed">
        {strings.conflictsHelp}
      </Text>
      <div>
        {shown.map(({ field, values, chosen }) => (
          <fieldset key={field} className={classes.field}>
            <legend className={classes.name}>{fieldName(field, 'company')}</legend>
            <div
              className={classes.values}
              style={{ gridTemplateColumns: `repeat(${companies.length}, minmax(9rem, 1fr))` }}
            >
              {companies.map(({ id }) => (
                <Radio
                  key={id}
                  name={`merge ${field}`}
                  value={id}
                  checked={(choices[field] ?? chosen) === id}
                  onChange={() => choose(field, id)}
                  label={<span className={classes.value}>{formatValue(field, values[id], 'company')}</span>}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </Stack>
  )
}
