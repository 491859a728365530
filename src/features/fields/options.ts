import { InvalidInput } from '#src/platform/errors.ts'
import { newId } from '#src/platform/ids.ts'
import {
  type CustomField,
  type FieldOption,
  MAX_FIELD_LABEL_LENGTH,
  MAX_FIELD_OPTIONS,
  type OptionInput,
} from './schema.ts'
import { foldLabel } from './values.ts'

const hasOptions = ({ type }: Pick<CustomField, 'type'>): boolean =>
  type === 'select' || type === 'multi_select'

/**
 * Options with their ids; new ones get one.
 * @throws InvalidInput for an unknown id, a label that occurs twice or reads like an id, or a type without options
 */
export function withIds(
  field: Pick<CustomField, 'type'>,
  input: readonly OptionInput[],
  previous: readonly FieldOption[],
): FieldOption[] {
  if (input.length > 0 && !hasOptions(field))
    throw new InvalidInput('options are only for fields of the types select and multi_select.')
  const ids = new Set(previous.map(({ id }) => id))
  const labels = new Set<string>()
  return input.map(({ id, label }, index) => {
    const name = `options[${index}]`
    if (id !== undefined && !ids.delete(id))
      throw new InvalidInput(
        `${name}.id must be the id of an option of this field, used once. Omit it for a new option.`,
      )
    if (/^opt_/.test(label.trim()))
      throw new InvalidInput(`${name}.label must not begin with opt_, as ids do.`)
    if (labels.has(foldLabel(label))) throw new InvalidInput(`${name}.label must be unique within the field.`)
    labels.add(foldLabel(label))
    return { id: id ?? newId('opt'), label: label.trim() }
  })
}

/** The field with options of these labels, up to the limit. */
export function withNewOptions<T extends Pick<CustomField, 'options'>>(
  field: T,
  labels: readonly string[],
): T {
  const options = [...field.options]
  for (const input of labels) {
    const label = input.trim()
    const isAllowed = label.length <= MAX_FIELD_LABEL_LENGTH && !/^opt_/.test(label)
    const isKnown = options.some((option) => foldLabel(option.label) === foldLabel(label))
    if (isAllowed && !isKnown && options.length < MAX_FIELD_OPTIONS) options.push({ id: newId('opt'), label })
  }
  return { ...field, options }
}
