import { readCompanyFields } from '#src/features/companies/index.ts'
import { readDealFields, readStageOptions } from '#src/features/deals/index.ts'
import { readPersonFields } from '#src/features/people/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Fields, fieldsByName, optionsOf } from '#src/platform/filter/fields.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { BriefItem, BriefSection } from './schema.ts'

const MAX_TEXT_LENGTH = 600

const EUROS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 })
const NUMBERS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6, useGrouping: false })

/** The fields of records, with labels and known values, by their type in the ledger. */
export type FieldsByType = Readonly<Record<'company' | 'dealflow' | 'person', Fields>>

export async function readFields(db: Db): Promise<FieldsByType> {
  const options = await readStageOptions(db)
  const ofDeals = [...(await readDealFields(db)).values()]
  const dealflow = ofDeals.map((field) => (field.name === 'stage' ? { ...field, options } : field))
  return {
    company: await readCompanyFields(db),
    dealflow: fieldsByName('deal', dealflow),
    person: await readPersonFields(db),
  }
}

/** An item of a section. */
export const itemOf = (label: string | null, text: string, more: Partial<BriefItem> = {}): BriefItem => ({
  ...{ label, text: truncate(text.replace(/\s+/g, ' ').trim(), MAX_TEXT_LENGTH) },
  ...{ at: null, user_email: null, type: null, id: null },
  ...more,
})

/** A section with at most so many items. */
export const sectionOf = (
  key: BriefSection['key'],
  title: string,
  items: readonly BriefItem[],
  limit: number,
  total = items.length,
): BriefSection => {
  const shown = items.slice(0, limit)
  return { key, title, items: shown, more: total - shown.length }
}

/** A lower_snake_case word as text: "Due diligence". */
export const wordText = (word: string): string => optionsOf([word])[0]?.label ?? word

/** "3 meetings", "1 call". */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The text of a value of a field; null: it is empty. Undefined: it is not a short value. */
export function valueText(fields: Fields, name: string, value: unknown): string | null | undefined {
  if (value === null || value === undefined || value === '') return null
  const field = fields.get(name)
  if (Array.isArray(value)) {
    const texts = value.map((one) => valueText(fields, name, one))
    return texts.length === 0
      ? null
      : texts.every((text) => typeof text === 'string')
        ? texts.join(', ')
        : undefined
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return field?.type === 'money' ? EUROS.format(value) : NUMBERS.format(value)
  if (typeof value !== 'string') return undefined
  const option = field?.options?.find(({ id }) => id === value)
  return option?.label ?? (field?.type === 'select' && /^[a-z0-9_]+$/.test(value) ? wordText(value) : value)
}

/** The items of fields that have values. */
export const fieldItems = (
  fields: Fields,
  names: readonly string[],
  record: Readonly<Record<string, unknown>>,
): BriefItem[] =>
  names.flatMap((name) => {
    const text = valueText(fields, name, record[name])
    return text ? [itemOf(labelOf(fields, name), text)] : []
  })

export const labelOf = (fields: Fields, name: string): string => fields.get(name)?.label ?? wordText(name)
