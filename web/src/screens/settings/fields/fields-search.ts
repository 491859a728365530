/** The query of `/settings/fields`. */
interface FieldsSearch {
  /** Companies by default. */
  of?: 'deal' | 'person'
}

/** @param search the query of the address; invalid values are dropped */
export const fieldsSearch = (search: Record<string, unknown>): FieldsSearch =>
  search.of === 'deal' || search.of === 'person' ? { of: search.of } : {}
