import { SimpleGrid } from '@mantine/core'
import type { CustomField } from '#src/client/client.ts'
import { CustomFieldInput } from './custom-field-input.tsx'
import { checkNewText, isAbout, toValue, withLabel } from './custom-values.ts'

/** By the key of the custom field. */
export type ByKey = Record<string, string>

interface RequiredFieldsProps {
  fields: readonly CustomField[]
  /** In the form of `toText`. */
  texts: ByKey
  problems: ByKey
  change: (key: string, text: string) => void
}

/** The inputs for the custom fields without which no record can be created. */
export function RequiredFields({ fields, texts, problems, change }: RequiredFieldsProps) {
  if (fields.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {fields.map((field) => (
        <CustomFieldInput
          key={field.key}
          field={field}
          text={texts[field.key] ?? ''}
          onChange={(text) => change(field.key, text)}
          error={problems[field.key] ?? null}
          required
        />
      ))}
    </SimpleGrid>
  )
}

/** The custom values of a new record, as the service takes them. */
export const requiredValues = (fields: readonly CustomField[], texts: ByKey) =>
  Object.fromEntries(fields.map((field) => [field.key, toValue(field, texts[field.key] ?? '')]))

/** The problems of the texts, as far as the browser knows. */
export const problemsOfTexts = (fields: readonly CustomField[], texts: ByKey): ByKey =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const problem = checkNewText(field, texts[field.key] ?? '')
      return problem ? [[field.key, problem]] : []
    }),
  )

/** The problem that the service has found, if its message names one of the fields. */
export function problemOfFields(fields: readonly CustomField[], message: string): ByKey {
  const field = fields.find(({ key }) => isAbout(`custom.${key}`, message))
  return field ? { [field.key]: withLabel(field, message) } : {}
}
