import type { CustomField } from '#src/client/client.ts'

/** An option being edited. A new one has no id. */
export interface OptionDraft {
  /** Tells rows apart. */
  row: number
  id?: string
  label: string
}

let rows = 0
const newRow = (): number => ++rows

export const optionDrafts = ({ options }: Pick<CustomField, 'options'>): OptionDraft[] =>
  options.map(({ id, label }) => ({ row: newRow(), id, label }))

export const newOption = (): OptionDraft => ({ row: newRow(), label: '' })

/** The options to send: blank rows are left out. */
export const givenOptions = (drafts: readonly OptionDraft[]): { id?: string; label: string }[] =>
  drafts
    .filter(({ label }) => label.trim() !== '')
    .map(({ id, label }) => ({ ...(id !== undefined && { id }), label: label.trim() }))

/** The list with an item moved by a number of places; as it is if it would leave the list. */
export function moved<T>(list: readonly T[], from: number, by: number): T[] {
  const to = from + by
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, item)
}
