export { contactColumns, contactFields, readContactsAt } from './columns.ts'
export type { ContactColumns } from './schema.ts'
