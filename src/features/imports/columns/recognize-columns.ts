import { COLUMN_NAMES, fieldNamed, type ImportField, isCompanyName, isGenericName } from './column-names.ts'
import { amountName, coreName } from './header-hints.ts'
import { normalizedName } from './normalized-name.ts'

const FIELDS = Object.keys(COLUMN_NAMES) as ImportField[]

/** The field that the name of a column stands for, by which of the field's names. */
interface RecognizedName {
  field: ImportField
  name: string
  /** Whether notes in the name were left out. */
  isCore: boolean
}

function recognizedName(text: string): RecognizedName | undefined {
  const name = normalizedName(text)
  const field = fieldNamed(name)
  if (field) return { field, name, isCore: false }
  const core = coreName(text)
  const coreField = fieldNamed(core)
  if (coreField) return { field: coreField, name: core, isCore: true }
  const amount = amountName(text)
  if (fieldNamed(amount) === 'revenue_eur') return { field: 'revenue_eur', name: amount, isCore: true }
  return alternativeNames(text)
}

/** "Website / URL" has two names of one field. */
function alternativeNames(text: string): RecognizedName | undefined {
  const [first, ...others] = text.split(/[/|]/).map(normalizedName)
  const field = first ? fieldNamed(first) : undefined
  const isOneField = others.length > 0 && others.every((name) => fieldNamed(name) === field)
  return first && field && isOneField ? { field, name: first, isCore: true } : undefined
}

/** Whether a column of this name is recognized, in any language. */
export const isColumnName = (text: string): boolean => recognizedName(text) !== undefined

/** The indexes of the columns of each field, best first. */
export function recognizeColumns(header: readonly string[]): Map<ImportField, number[]> {
  const found = header.flatMap((text, index) => {
    const recognized = recognizedName(text)
    return recognized ? [{ ...recognized, index }] : []
  })
  const hasCompanies = found.some(({ name }) => isCompanyName(name))
  const rank = ({ field, name, isCore }: RecognizedName): number =>
    2 * (COLUMN_NAMES[field] as readonly string[]).indexOf(name) + Number(isCore)
  const fields = new Map<ImportField, number[]>(FIELDS.map((field) => [field, []]))
  for (const column of found.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)) {
    // Beside a column of companies, "Name" is that of a person.
    if (column.field === 'name' && hasCompanies && isGenericName(column.name)) continue
    fields.get(column.field)?.push(column.index)
  }
  return new Map([...fields].filter(([, indexes]) => indexes.length > 0))
}
