import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { strings } from '#strings/companies.ts'
import { queries } from '#web/service/queries.ts'
import { countryName } from '#web/words/countries.ts'
import { formatWord } from '#web/words/format.ts'
import type { Facet } from './companies-search.ts'

export const FACET_TITLES: Record<Facet, string> = {
  status: strings.status,
  country_code: strings.country,
  industry_category: strings.industry,
  thesis_id: strings.thesis,
}

/** Thesis codes by id. */
export function useThesisCodes(): ReadonlyMap<string, string> {
  const { data } = useQuery(queries.theses())
  return useMemo(() => new Map(data?.data.map(({ id, code }) => [id, code])), [data])
}

/** The readable form of a filter value. */
export function labelOf(facet: Facet, value: string, theses: ReadonlyMap<string, string>): string {
  if (facet === 'status') return formatWord(value)
  if (facet === 'country_code') return countryName(value)
  if (facet === 'thesis_id') return theses.get(value) ?? value
  return value
}
