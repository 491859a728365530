import { strings } from '#strings/custom-fields.ts'

/** An option being edited. A new one has no id. */
export interface OptionDraft {
  /** Identifies the row. */
  row: number
  id?: string
  label: string
}

let rows = 0
const newRow = (): number => ++rows

export const optionDrafts = ({
  options,
}: {
  options: readonly { id: string; label: string }[]
}): OptionDraft[] => options.map(({ id, label }) => ({ row: newRow(), id, label }))

export const newOption = (): OptionDraft => ({ row: newRow(), label: '' })

const isEntered = ({ label }: OptionDraft): boolean => label.trim() !== ''

/** The options to send: blank rows are left out. */
export const enteredOptions = (drafts: readonly OptionDraft[]): { id?: string; label: string }[] =>
  drafts.filter(isEntered).map(({ id, label }) => ({ ...(id !== undefined && { id }), label: label.trim() }))

/** A message of the service, with the number that the dialog shows for an option in place of its index in the request. */
export const withOptionNumber = (message: string, drafts: readonly OptionDraft[]): string =>
  message.replace(/^options\[(\d+)\]\.label/, (name, index) => {
    const draft = drafts.filter(isEntered)[Number(index)]
    return draft ? strings.option(drafts.indexOf(draft) + 1) : name
  })

/** The list with an item moved by a number of positions; unchanged if it would leave the list. */
export function moved<T>(list: readonly T[], from: number, by: number): T[] {
  const to = from + by
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, item)
}
