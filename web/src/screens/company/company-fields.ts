import {
  COMPANY_STATUSES,
  MAX_DESCRIPTION_LENGTH,
  MAX_FOUNDED_YEAR,
  MAX_NAME_LENGTH,
  MAX_WEBSITE_LENGTH,
  MIN_FOUNDED_YEAR,
} from '#src/client/limits.ts'
import { strings } from '#strings/company.ts'
import type { CompanyDetail, CompanyPatch } from '#web/api/service.ts'
import type { FieldEditor } from '#web/editing/editable-field-input.tsx'
import type { RecordField } from '#web/editing/editable-record-field.tsx'
import { countryOptions, englishCountryName } from '#web/format/countries.ts'
import { formatNumber, formatWord } from '#web/format/format.ts'
import { withProtocol } from '#web/format/web-address.ts'
import { toWord } from '#web/format/word.ts'
import { newText, newWord } from '#web/ui/select/new-options.ts'
import { asWebUrl } from './type-guards.ts'

export type CompanyRecord = CompanyDetail['company']

/** A field of the company. */
type CompanyField = RecordField<CompanyRecord, CompanyPatch>

type Key = keyof CompanyPatch & keyof CompanyRecord

const readText = (key: Key) => (company: CompanyRecord) => String(company[key] ?? '')
const toTextChange = (key: Key) => (text: string) => ({ [key]: text === '' ? null : text }) as CompanyPatch
const toNumberChange = (key: Key) => (text: string) =>
  ({ [key]: text === '' ? null : Number(text) }) as CompanyPatch

function number(key: Key, label: string, min: number, max: number, editor: FieldEditor): CompanyField {
  const isWhole = editor.kind !== 'number' || !editor.decimals
  const format = key === 'founded_year' ? String : formatNumber
  const rule = (isWhole ? strings.wholeNumber : strings.number)(format(min), format(max))
  const isValid = (value: number) => value >= min && value <= max && (!isWhole || Number.isInteger(value))
  return {
    label,
    editor,
    read: readText(key),
    changes: toNumberChange(key),
    check: (text) => (text === '' || isValid(Number(text)) ? null : rule),
  }
}

const MAX_EUROS = 1e15
export const EUROS: FieldEditor = { kind: 'number', grouped: true, decimals: 2, prefix: '€' }
/** Returns the problem with an amount, which may be negative, or null. */
export const validateEuros = (text: string): string | null =>
  Math.abs(Number(text)) <= MAX_EUROS
    ? null
    : strings.number(formatNumber(-MAX_EUROS), formatNumber(MAX_EUROS))

const textField = (key: Key, label: string, editor: FieldEditor = { kind: 'text', maxLength: 200 }) => ({
  label,
  editor,
  read: readText(key),
  changes: toTextChange(key),
})

export const FIELDS = {
  name: {
    ...textField('name', strings.name, { kind: 'text', maxLength: MAX_NAME_LENGTH }),
    check: (text: string) => (text === '' ? strings.nameRequired : null),
  },
  country_code: {
    label: strings.country,
    editor: { kind: 'select', options: countryOptions() },
    read: readText('country_code'),
    changes: (text: string) =>
      text === ''
        ? { country_code: null, country: null }
        : { country_code: text, country: englishCountryName(text) },
  },
  hq_city: textField('hq_city', strings.city),
  website: {
    ...textField('website', strings.website, { kind: 'text', maxLength: MAX_WEBSITE_LENGTH }),
    changes: (text: string) => ({ website: text === '' ? null : withProtocol(text) }),
    check: (text: string) => (text === '' || asWebUrl(withProtocol(text)) ? null : strings.invalidUrl),
  },
  founded_year: number('founded_year', strings.foundedYear, MIN_FOUNDED_YEAR, MAX_FOUNDED_YEAR, {
    kind: 'number',
  }),
  employee_count: number('employee_count', strings.employees, 0, 10_000_000, {
    kind: 'number',
    grouped: true,
  }),
  revenue_eur: number('revenue_eur', strings.revenue, 0, MAX_EUROS, EUROS),
  llm_score_overall: number('llm_score_overall', strings.scoreField, 0, 100, { kind: 'number' }),
  activity_description: textField('activity_description', strings.description, {
    kind: 'multiline',
    maxLength: MAX_DESCRIPTION_LENGTH,
  }),
} satisfies Record<string, CompanyField>

/** @param known statuses that other companies use */
export const statusField = (known: string[]): CompanyField => ({
  label: strings.status,
  editor: {
    kind: 'select',
    isRequired: true,
    options: [...new Set([...COMPANY_STATUSES, ...known])].map((value) => ({
      value,
      label: formatWord(value),
    })),
    create: newWord,
    maxLength: 64,
  },
  read: readText('status'),
  changes: (text) => ({ status: toWord(text) ?? text }),
  check: (text) => (toWord(text) === null ? strings.invalidStatus : null),
})

/** @param known industries that other companies use */
export const industryField = (known: string[]): CompanyField =>
  textField('industry_category', strings.industry, {
    kind: 'select',
    options: [...new Set(known)].map((value) => ({ value, label: value })),
    create: newText,
    maxLength: 200,
  })

export const thesisField = (theses: { id: string; code: string; title: string }[]): CompanyField =>
  textField('thesis_id', strings.thesis, {
    kind: 'select',
    options: theses.map(({ id, code, title }) => ({ value: id, label: `${code} · ${title}` })),
  })
