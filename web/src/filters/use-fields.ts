import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Client } from '#src/client/client.ts'
import { fieldQueries } from '#web/api/field-queries.ts'

/** A field that records can be filtered by. */
export type Field = Awaited<ReturnType<Client['listFields']>>['data'][number]
/** The records that filters select. */
export type FilterEntity = 'company' | 'deal' | 'thesis' | 'person'
export type FieldMap = ReadonlyMap<string, Field>

/** The name of a field without the prefix of those of a deal's company: `country_code` for `company_country_code`. */
export const nameOfCompanyField = (name: string): string => name.replace(/^company_/, '')

/** Whether the values of a field are the ids of companies, for choosing by name. */
export const isCompanyField = ({ name, type }: Field): boolean =>
  name === 'company_id' && type === 'multi_select'

/** The fields of an entity by name; empty until they are loaded. */
export function useFields(entity: FilterEntity): FieldMap {
  const { data } = useQuery(fieldQueries.fields(entity))
  return useMemo(() => new Map(data?.map((field) => [field.name, field])), [data])
}
