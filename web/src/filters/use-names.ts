import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { strings } from '#strings/filters.ts'
import { queries } from '#web/api/queries.ts'
import { personName } from '#web/fields/people.ts'
import { countryName } from '#web/format/countries.ts'
import { formatWord } from '#web/format/format.ts'
import type { Names } from './sentence.ts'
import { filterText, idsFilter } from './tree.ts'
import { type FilterEntity, isCompanyField, nameOfCompanyField, useFields } from './use-fields.ts'

const NO_IDS: readonly string[] = []

/** The names of companies by id; empty until they are loaded. */
export function useCompanyNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { data } = useQuery({
    ...queries.companies({ filter: filterText(idsFilter(ids, 'in')), limit: ids.length }),
    enabled: ids.length > 0,
  })
  return useMemo(() => new Map(data?.data.map(({ id, name }) => [id, name])), [data])
}

/**
 * The readable forms of fields and their values.
 * @param needsUsers whether any of the values is a user, whose name is not their address
 * @param companies the ids of companies among the values
 */
export function useNames(
  entity: FilterEntity,
  needsUsers: boolean,
  companies: readonly string[] = NO_IDS,
): Names {
  const fields = useFields(entity)
  const { data: theses } = useQuery({ ...queries.theses(), enabled: entity !== 'thesis' })
  const { data: users } = useQuery({ ...queries.allUsers(), enabled: needsUsers })
  const companyNames = useCompanyNames(companies)
  return useMemo(() => {
    const codes = new Map(theses?.data.map(({ id, code }) => [id, code]))
    const nameOf = (name: string, value: string): string => {
      const companyField = nameOfCompanyField(name)
      if (companyField === 'country_code') return countryName(value)
      if (companyField === 'thesis_id') return codes.get(value) ?? value
      const field = fields.get(name)
      if (field && isCompanyField(field)) return companyNames.get(value) ?? value
      if (field?.type === 'user') return value === 'me' ? strings.me : personName(value, users)
      if (field?.type === 'boolean') return value === 'true' ? strings.yes : strings.no
      const option = field?.options.find(({ id }) => id === value)
      if (option) return option.label
      const isWord = field?.id === null && field.options.length > 0
      return isWord ? formatWord(value) : value
    }
    return { fields, nameOf }
  }, [fields, theses, users, companyNames])
}
