import type { CustomField, FieldOption } from './schema.ts'

/** A custom value as the cell of a CSV file: options by their labels. The import reverses it. */
export function customCell(field: CustomField, value: unknown): unknown {
  if (value === undefined) return undefined
  if (field.type === 'select') return labelOf(field, value)
  // The CSV writer would leave false blank.
  if (field.type === 'boolean') return String(value)
  if (field.type !== 'multi_select') return value
  const labels = (value as unknown[]).map((id) => labelOf(field, id))
  return labels.some((label) => /[;|]|^\[/.test(label)) ? JSON.stringify(labels) : labels.join('; ')
}

const labelOf = ({ options }: { options: FieldOption[] }, id: unknown): string =>
  options.find((option) => option.id === id)?.label ?? String(id)

/** The labels in the cell that `customCell` wrote for a multi_select. */
export function exportedLabels(text: string): string[] {
  const labels = text.startsWith('[') ? jsonTexts(text) : undefined
  return (labels ?? text.split(';').map((label) => label.trim())).filter(Boolean)
}

function jsonTexts(text: string): string[] | undefined {
  try {
    const labels: unknown = JSON.parse(text)
    return Array.isArray(labels) && labels.every((label) => typeof label === 'string') ? labels : undefined
  } catch {
    return undefined
  }
}
