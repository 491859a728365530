import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client, CustomField, CustomFieldEntity } from '#src/client/client.ts'
import { MAX_PAGE_SIZE } from './paging.ts'
import { service } from './service.ts'

type FieldDescription = Awaited<ReturnType<Client['listFields']>>['data'][number]

/** Queries of fields, tags, and stages. Invalidate them by the first word of the key. */
export const fieldQueries = {
  /** Every field of an entity, built-in ones included. */
  fields: (entity: 'company' | 'deal' | 'thesis' | 'person') =>
    queryOptions({
      queryKey: ['fields', entity],
      queryFn: async ({ signal }) =>
        (await service.listFields({ querystring: { entity, limit: MAX_PAGE_SIZE } }, { signal })).data,
      staleTime: 60_000,
    }),
  /** The custom fields of an entity, archived ones included. */
  customFields: (entity: CustomFieldEntity) =>
    queryOptions({
      ...fieldQueries.fields(entity),
      select: (fields: FieldDescription[]) => fields.filter(isCustom),
    }),
  /** Tags whose name contains a text, the most frequent first. */
  tags: (querystring: { search?: string; limit?: number; offset?: number } = {}) =>
    queryOptions({
      queryKey: ['tags', querystring],
      queryFn: ({ signal }) => service.listTags({ querystring }, { signal }),
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    }),
  stageConfig: () =>
    queryOptions({
      queryKey: ['stage-config'],
      queryFn: async ({ signal }) => (await service.getStageConfig({}, { signal })).data,
      staleTime: 60_000,
    }),
}

const isCustom = (field: { id: string | null }): field is FieldDescription & CustomField => field.id !== null
