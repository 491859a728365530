import type { CustomField } from '#src/client/client.ts'
import { fieldQueries } from '#web/service/field-queries.ts'
import { queryClient } from '#web/service/query-client.ts'

const PREFIX = 'custom.'

/** The custom field that a name such as `custom.batch` means, if this tab has loaded the fields. */
export function cachedCustomField(name: string): CustomField | undefined {
  if (!name.startsWith(PREFIX)) return undefined
  const known = (['company', 'deal'] as const).flatMap(
    (entity) => queryClient.getQueryData(fieldQueries.fields(entity).queryKey) ?? [],
  )
  return known.find((field) => field.name === name && field.id !== null) as CustomField | undefined
}
