import { strings } from '#strings/columns.ts'
import classes from './select.module.css'

interface SelectPageProps {
  /** How many rows of the page are selected. */
  share: 'none' | 'some' | 'all'
  /** Whether the rows are still those of the previous page or query. They cannot be selected then. */
  isStale: boolean
  toggle: () => void
}

/** The checkbox that selects every row on the page. Keeps the focus while the next page loads. */
export const SelectPage = ({ share, isStale, toggle }: SelectPageProps) => (
  <label className={classes.select}>
    <input
      type="checkbox"
      aria-label={strings.selectPage}
      aria-disabled={isStale}
      checked={share === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = share === 'some'
      }}
      onChange={() => !isStale && toggle()}
    />
  </label>
)
