import { truncate } from '#src/client/limits.ts'
import { strings } from '#strings/lists.ts'
import classes from '#web/columns/select.module.css'

/** Selects or deselects a record; with `isRange`, also every record since the last one clicked. */
export type SetSelected = (id: string, isSelected: boolean, isRange: boolean) => void

interface SelectRecordProps {
  record: { id: string; name: string }
  isSelected: boolean
  setSelected: SetSelected
}

/** A native checkbox, because a hundred styled ones are slow. */
export const SelectRecord = ({ record: { id, name }, isSelected, setSelected }: SelectRecordProps) => (
  <label className={classes.select}>
    <input
      type="checkbox"
      checked={isSelected}
      data-select={id}
      aria-label={strings.select(truncate(name, 100))}
      onChange={(event) => {
        const { shiftKey } = event.nativeEvent as MouseEvent
        setSelected(id, event.currentTarget.checked, shiftKey === true)
      }}
    />
  </label>
)
