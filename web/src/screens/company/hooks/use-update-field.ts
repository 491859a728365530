import { useRef } from 'react'
import { EditConflict } from '#web/editing/edit-conflict.ts'
import type { CompanyRecord } from '../company-fields.ts'
import { useSaveCompany } from '../save-company.ts'

const MAX_ATTEMPTS = 4

/**
 * Changes a field that holds many values. If someone else changed other values of it, applies the change again to the
 * latest version. The returned function throws EditConflict if the field keeps changing.
 */
export function useUpdateField<K extends 'executives' | 'financials'>(company: CompanyRecord, key: K) {
  const save = useSaveCompany(company.id)
  const latest = useRef(company[key])
  latest.current = company[key]
  return async (changed: (value: CompanyRecord[K]) => CompanyRecord[K]): Promise<unknown> => {
    let from = latest.current
    for (let tries = 1; ; tries++) {
      const changes = { [key]: changed(from) }
      try {
        return await save({
          changes,
          read: (record) => JSON.stringify(record[key]),
          seen: JSON.stringify(from),
        })
      } catch (error) {
        if (!(error instanceof EditConflict) || tries === MAX_ATTEMPTS) throw error
        from = JSON.parse(error.remote)
      }
    }
  }
}
