import type { Db } from '#src/platform/database/database.ts'
import type { Fields } from '#src/platform/filter/fields.ts'
import type { FieldEntity } from './list-schema.ts'
import type { BuiltInNames } from './names.ts'

/** The fields of one kind of record that filters and sorts know. `kinds.ts` lists the kinds of all slices. */
export interface FieldKind {
  entity: FieldEntity
  /** Built-in and custom fields by name. */
  readFields(db: Db): Promise<Fields>
  /** The names that custom fields must not take; undefined: the kind has no custom fields. */
  builtInNames?: BuiltInNames
  /** The options of fields that admins configure, by field name. */
  readOptions?(db: Db): Promise<Readonly<Record<string, readonly { id: string; label: string }[]>>>
  /** Whether any record has a value, by field name. Fields that are left out are unknown. */
  readFieldsWithValues?(db: Db): Promise<Readonly<Record<string, boolean>>>
}
