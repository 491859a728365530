import { Text, VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'
import { strings } from '#strings/import-report.ts'
import type { FieldWords } from './field-words.ts'
import { isRepeated } from './repeated-fields.ts'
import type { ChangedRow } from './report.ts'
import classes from './row-list.module.css'

/** The values of a company that a row changes, old and new. */
export function ChangedValues({ row, words }: { row: ChangedRow; words: FieldWords }) {
  const textsOf = (field: string) => {
    const { from, to } = row.changes[field] ?? {}
    return `${words.textOf(field, from)} → ${words.textOf(field, to)}`
  }
  const changes = Object.entries(row.changes).filter(
    ([field]) => !('country' in row.changes && isRepeated(field, textsOf)),
  )
  return (
    <dl className={classes.values}>
      {changes.map(([field, { from, to }]) => (
        <Fragment key={field}>
          <dt>{words.labelOf(field)}</dt>
          <dd>
            <Value text={words.textOf(field, from)} label={strings.before} isBefore />
            <span className={classes.arrow} aria-hidden>
              →
            </span>
            <Value text={words.textOf(field, to)} label={strings.after} />
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Value({ text, label, isBefore = false }: { text: string; label: string; isBefore?: boolean }) {
  return (
    <>
      <VisuallyHidden>{label}: </VisuallyHidden>
      {text === '' ? (
        <Text span inherit c="dimmed" fs="italic">
          {strings.blank}
        </Text>
      ) : (
        <bdi className={isBefore ? classes.before : undefined}>{text}</bdi>
      )}
    </>
  )
}
