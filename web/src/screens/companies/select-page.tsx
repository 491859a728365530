import { strings } from '#strings/companies.ts'
import classes from '#web/columns/select.module.css'
import { selection, useSelectionState } from './selection.ts'

interface SelectPageProps {
  rows: readonly { id: string }[]
  /** Whether the rows are still those of the previous page or query. They cannot be selected then. */
  isStale: boolean
}

/** The checkbox that selects every company on the page. Keeps the focus while the next page loads. */
export function SelectPage({ rows, isStale }: SelectPageProps) {
  const share = useSelectionState(rows)
  return (
    <label className={classes.select}>
      <input
        type="checkbox"
        aria-label={strings.selectPage}
        aria-disabled={isStale}
        checked={share === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = share === 'some'
        }}
        onChange={() =>
          !isStale &&
          selection.set(
            rows.map(({ id }) => id),
            share !== 'all',
          )
        }
      />
    </label>
  )
}
