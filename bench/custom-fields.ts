import { insertField } from '#src/features/fields/definitions.ts'
import {
  CUSTOM_FIELD_TYPES,
  type CustomField,
  type CustomFieldType,
  type CustomValues,
} from '#src/features/fields/schema.ts'
import type { Db } from '#src/platform/database/database.ts'

const OPTIONS = 40
const USERS = 50

const userOf = (n: number): string => `user-${n % USERS}@example.com`

/** The addresses in fields of the type user, which must be those of users. */
export const WRITTEN_USERS: readonly string[] = Array.from({ length: USERS }, (_value, n) => userOf(n))

/** Different for each company and field, and the same in every run. */
const valueNumber = (company: number, field: number): number => (company * 7919 + field * 104_729) % 100_003

/** A value of a custom field, as users write it. Options are `Option 0` to `Option 39`. */
export function writtenValue(type: CustomFieldType, company: number, field: number): string {
  const n = valueNumber(company, field)
  const values: Record<CustomFieldType, string> = {
    text: `Region ${n}`,
    number: String(n / 10),
    money: String(n * 1000),
    date: `20${10 + (n % 20)}-0${1 + (n % 9)}-${10 + (n % 19)}`,
    boolean: n % 2 ? 'true' : 'false',
    select: `Option ${n % OPTIONS}`,
    multi_select: `Option ${n % OPTIONS}; Option ${(n + 1) % OPTIONS}`,
    url: `https://example.com/${n}`,
    email: `someone-${n}@example.com`,
    user: userOf(n),
    long_text: `Notes on ${n}: ${'the usual text about this company. '.repeat(3)}`,
  }
  return values[type]
}

/** The types of this many custom fields: each type in turn. */
export const fieldTypes = (count: number): CustomFieldType[] =>
  Array.from(
    { length: count },
    (_value, index) => CUSTOM_FIELD_TYPES[index % CUSTOM_FIELD_TYPES.length] ?? 'text',
  )

/** Creates this many custom fields of companies, with the keys `bench_0`, `bench_1`, and so on. */
export async function insertFields(db: Db, count: number): Promise<CustomField[]> {
  const fields: CustomField[] = []
  for (const [index, type] of fieldTypes(count).entries()) {
    const options = Array.from({ length: OPTIONS }, (_value, n) => ({ label: `Option ${n}` }))
    const input = {
      entity: 'company' as const,
      key: `bench_${index}`,
      label: `Bench ${index}`,
      type,
      ...(type.endsWith('select') && { options }),
    }
    fields.push(
      await db
        .transaction()
        .execute((transaction) => insertField(transaction, input, { names: [], labels: [] })),
    )
  }
  return fields
}

/** The stored values of a company. */
export const storedValues = (fields: readonly CustomField[], company: number): CustomValues =>
  Object.fromEntries(fields.map((field, index) => [field.key, storedValue(field, company, index)]))

function storedValue({ type, options }: CustomField, company: number, field: number): unknown {
  const written = writtenValue(type, company, field)
  const n = valueNumber(company, field)
  // In the order of the options' ids, as the service stores them.
  const chosen = options.filter((_option, index) => index === n % OPTIONS || index === (n + 1) % OPTIONS)
  if (type === 'number' || type === 'money') return Number(written)
  if (type === 'boolean') return written === 'true'
  if (type === 'select') return options[n % OPTIONS]?.id
  if (type === 'multi_select') return chosen.map(({ id }) => id).sort()
  return written
}
