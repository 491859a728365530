import { Stack, Text, Title } from '@mantine/core'
import type { CustomField } from '#src/client/client.ts'
import { strings as types } from '#strings/fields.ts'
import { strings } from '#strings/import.ts'

const MAX_SHOWN_OPTIONS = 8

/** The fields that an import creates. */
export function NewFields({ fields }: { fields: readonly CustomField[] }) {
  if (fields.length === 0) return null
  return (
    <Stack gap={4}>
      <Title order={3} size="h5">
        {strings.newFields(fields.length)}
      </Title>
      <Stack component="ul" gap={2} m={0} ps="md" fz="sm">
        {fields.map((field) => (
          <li key={field.key} className="break-anywhere">
            <Text span inherit fw={500}>
              <bdi>{field.label}</bdi>
            </Text>
            {`: ${types.types[field.type]}`}
            {field.options.length > 0 && ` (${optionsOf(field)})`}
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

function optionsOf({ options }: CustomField): string {
  const shown = options.slice(0, MAX_SHOWN_OPTIONS).map(({ label }) => label)
  const hidden = options.length - shown.length
  return hidden > 0 ? strings.moreOptions(shown.join(', '), hidden) : shown.join(', ')
}
