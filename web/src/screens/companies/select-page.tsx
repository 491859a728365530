import { strings } from '#strings/companies.ts'
import classes from './company.module.css'
import { selection, useSelectionState } from './selection.ts'

/** The checkbox that selects every company on the page. */
export function SelectPage({ rows }: { rows: readonly { id: string }[] }) {
  const share = useSelectionState(rows)
  return (
    <label className={classes.select}>
      <input
        type="checkbox"
        aria-label={strings.selectPage}
        checked={share === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = share === 'some'
        }}
        onChange={() =>
          selection.set(
            rows.map(({ id }) => id),
            share !== 'all',
          )
        }
      />
    </label>
  )
}
