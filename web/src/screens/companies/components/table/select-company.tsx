import { truncate } from '#src/client/limits.ts'
import { strings } from '#strings/companies.ts'
import classes from '#web/columns/select.module.css'
import { type SetSelected, useIsSelected } from '../../selection.ts'

interface SelectCompanyProps {
  company: { id: string; name: string }
  setSelected: SetSelected
}

/** A native checkbox, because a hundred styled ones are slow. */
export function SelectCompany({ company, setSelected }: SelectCompanyProps) {
  const isSelected = useIsSelected(company.id)
  return (
    <label className={classes.select}>
      <input
        type="checkbox"
        checked={isSelected}
        data-select={company.id}
        aria-label={strings.select(truncate(company.name, 100))}
        onChange={(event) => {
          const { shiftKey } = event.nativeEvent as MouseEvent
          setSelected(company.id, event.currentTarget.checked, shiftKey === true)
        }}
      />
    </label>
  )
}
