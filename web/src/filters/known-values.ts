import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/filters.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queries } from '#web/api/queries.ts'
import { personName } from '#web/fields/people.ts'
import { countryOptions } from '#web/format/countries.ts'
import { formatWord } from '#web/format/format.ts'
import { type Field, nameOfCompanyField } from './use-fields.ts'

interface KnownValue {
  value: string
  label: string
}

/** The service returns at most this many tags. */
const MAX_TAGS = 1000

/**
 * The values of a field that are known, for choosing. Empty for a field that can have any value.
 * @returns undefined while they are loading
 */
export function useKnownValues(field: Field | undefined): KnownValue[] | undefined {
  const name = field && nameOfCompanyField(field.name)
  const isCounted = (field?.entity === 'company' && name === 'status') || name === 'industry_category'
  const tags = useQuery({ ...fieldQueries.tags({ limit: MAX_TAGS }), enabled: name === 'tags' })
  const theses = useQuery({ ...queries.theses(), enabled: name === 'thesis_id' })
  const users = useQuery({ ...queries.allUsers(), enabled: field?.type === 'user' })
  const facets = useQuery({ ...queries.companyFacets({}), enabled: isCounted })
  if (!field) return []
  if ([tags, theses, users, facets].some(({ isLoading }) => isLoading)) return undefined
  const plain = (value: string) => ({ value, label: value })
  if (field.type === 'user') {
    const people = (users.data ?? []).map(({ email }) => ({
      value: email,
      label: personName(email, users.data),
    }))
    return [{ value: 'me', label: strings.me }, ...people.toSorted((a, b) => a.label.localeCompare(b.label))]
  }
  if (name === 'country_code') return countryOptions()
  if (name === 'tags') return (tags.data?.data ?? []).map(({ name }) => plain(name))
  if (name === 'thesis_id')
    return (theses.data?.data ?? []).map(({ id, code, title }) => ({
      value: id,
      label: `${code} · ${title}`,
    }))
  if (name === 'industry_category')
    return (facets.data?.industry_category ?? []).flatMap(({ value }) => (value === null ? [] : plain(value)))
  const options = field.options.map(({ id, label }) => ({ value: id, label }))
  const used = isCounted ? (facets.data?.status ?? []) : []
  const others = used.filter(({ value }) => !options.some((option) => option.value === value))
  return [...options, ...others.map(({ value }) => ({ value, label: formatWord(value) }))]
}
