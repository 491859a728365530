import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { strings } from '#strings/filters.ts'
import { queries } from '#web/api/queries.ts'
import { personName } from '#web/fields/people.ts'
import { countryName } from '#web/format/countries.ts'
import { formatWord } from '#web/format/format.ts'
import type { Names } from './sentence.ts'
import { type FilterEntity, nameOfCompanyField, useFields } from './use-fields.ts'

/**
 * The readable forms of fields and their values.
 * @param needsUsers whether any of the values is a user, whose name is not their address
 */
export function useNames(entity: FilterEntity, needsUsers: boolean): Names {
  const fields = useFields(entity)
  const { data: theses } = useQuery({ ...queries.theses(), enabled: entity !== 'thesis' })
  const { data: users } = useQuery({ ...queries.allUsers(), enabled: needsUsers })
  return useMemo(() => {
    const codes = new Map(theses?.data.map(({ id, code }) => [id, code]))
    const nameOf = (name: string, value: string): string => {
      const companyField = nameOfCompanyField(name)
      if (companyField === 'country_code') return countryName(value)
      if (companyField === 'thesis_id') return codes.get(value) ?? value
      const field = fields.get(name)
      if (field?.type === 'user') return value === 'me' ? strings.me : personName(value, users)
      if (field?.type === 'boolean') return value === 'true' ? strings.yes : strings.no
      const option = field?.options.find(({ id }) => id === value)
      if (option) return option.label
      const isWord = field?.id === null && field.options.length > 0
      return isWord ? formatWord(value) : value
    }
    return { fields, nameOf }
  }, [fields, theses, users])
}
