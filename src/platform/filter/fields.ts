import type { RawBuilder } from 'kysely'
import type { FieldType, Operator } from './schema.ts'
import { OPERATORS_BY_TYPE } from './schema.ts'

/** A type of values in PostgreSQL. */
export type SqlType = 'text' | 'integer' | 'double precision' | 'date' | 'timestamptz' | 'boolean'

interface AnyField {
  /** What filters and sorts call it, such as `country_code` or `custom.batch`. */
  readonly name: string
  readonly label: string
  /** Known values, for choices. Others are valid and match nothing. */
  readonly options?: readonly { readonly id: string; readonly label: string }[]
  /** Whether every record has a value. */
  readonly isRequired?: boolean
  /** Normalizes a value before it is compared, as it is normalized before it is stored. */
  readonly normalize?: (text: string) => string
  /** Whether the value depends on other tables, so that a cached total cannot tell when it is outdated. */
  readonly readsOtherTables?: boolean
  /**
   * What to sort by; null if records cannot be sorted by it. By default the value, folded if it is text, and for long
   * text its beginning. By default, records cannot be sorted by several values, and not by JSON.
   */
  readonly sortBy?: RawBuilder<unknown> | null
  /** The order of an index on what is sorted by and the id: ascending, or descending with empty values last. */
  readonly sortIndex?: 'ascending' | 'descending'
  /** Of a field that is sorted by the order of its known values. */
  readonly sortGroups?: SortGroups
}

/** Values in an order of their own. */
export interface SortGroups {
  /** All values that records have, in their order. */
  readonly values: readonly string[]
  /** The value. An index on it and the id finds the records with each value in the order of their ids. */
  readonly sql: RawBuilder<unknown>
}

/** A field with one value at most. */
export interface SingleField extends AnyField {
  readonly type: Exclude<FieldType, 'multi_select'>
  /** The value, null if empty. Can be used in any query of the table. */
  readonly sql: RawBuilder<unknown>
  /** The type of `sql`; by default that of the field's type (`SQL_TYPES`). Whole numbers are `integer`. */
  readonly sqlType?: SqlType
  /** The folded value, if it is stored or indexed. */
  readonly foldedSql?: RawBuilder<unknown>
  /** A folded text that contains the folded value and has a trigram index. */
  readonly searchedSql?: RawBuilder<unknown>
}

/** A field with any number of texts. */
export interface MultiField extends AnyField {
  readonly type: 'multi_select'
  /** Whether the record has one of these values; never null. */
  readonly hasAnyOf: (values: readonly string[]) => RawBuilder<unknown>
  /** Whether the record has no value; never null. */
  readonly isEmpty: RawBuilder<unknown>
}

export type FilterField = SingleField | MultiField

/** The fields of a kind of record by name. */
export interface Fields extends ReadonlyMap<string, FilterField> {
  /** The kind of record. */
  readonly entity: string
}

export const fieldsByName = (entity: string, fields: readonly FilterField[]): Fields =>
  Object.assign(new Map(fields.map((field) => [field.name, field])), { entity })

/** A sentence for errors about unknown fields. */
export const whereListed = ({ entity }: Fields): string => `GET /api/fields?entity=${entity} lists them.`

/** Known words of a choice, with labels: `due_diligence` is labeled "Due diligence". */
export const optionsOf = (words: readonly string[]) =>
  words.map((id) => ({ id, label: id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ') }))

const SQL_TYPES: Partial<Record<FieldType, SqlType>> = {
  number: 'double precision',
  money: 'double precision',
  date: 'date',
  timestamp: 'timestamptz',
  boolean: 'boolean',
}

export const sqlTypeOf = ({ type, sqlType }: SingleField): SqlType => sqlType ?? SQL_TYPES[type] ?? 'text'

export const operatorsOf = ({ type }: FilterField): readonly Operator[] => OPERATORS_BY_TYPE[type]

/** Whether records can be sorted by the field. */
export const isSortable = (field: FilterField): boolean =>
  field.sortBy === undefined ? field.type !== 'multi_select' && field.type !== 'json' : field.sortBy !== null
