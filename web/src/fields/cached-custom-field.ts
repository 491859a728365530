import type { CustomField, CustomFieldEntity } from '#src/client/client.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queryClient } from '#web/api/query-client.ts'

const PREFIX = 'custom.'

/** The custom field that a name such as `custom.batch` means for such records, if this tab has loaded their fields. */
export function cachedCustomField(name: string, of: CustomFieldEntity): CustomField | undefined {
  if (!isCustomName(name)) return undefined
  const known = queryClient.getQueryData(fieldQueries.fields(of).queryKey) ?? []
  return known.find((field) => field.name === name && field.id !== null) as CustomField | undefined
}

export const isCustomName = (name: string): boolean => name.startsWith(PREFIX)
