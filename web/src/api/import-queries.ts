import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client } from '#src/client/client.ts'
import { service } from './service.ts'

type ImportQuery = NonNullable<NonNullable<Parameters<Client['listImports']>[0]>['querystring']>

/** A page of the imports of all users. */
export const pastImports = (querystring: ImportQuery) =>
  queryOptions({
    queryKey: ['imports', 'list', querystring],
    queryFn: ({ signal }) => service.listImports({ querystring }, { signal }),
    placeholderData: keepPreviousData,
  })

/** An import with its report. */
export const pastImport = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'one', id],
    queryFn: async ({ signal }) => (await service.getImport({ params: { id } }, { signal })).data,
  })
