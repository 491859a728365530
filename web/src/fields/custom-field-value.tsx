import { ActionIcon, Badge, Group, Text } from '@mantine/core'
import { IconExternalLink, IconMail } from '@tabler/icons-react'
import { strings } from '#strings/fields.ts'
import { strings as general } from '#strings/general.ts'
import { mailAddress, withoutProtocol } from '#web/format/web-address.ts'
import { type EditedField, formatCustomValue, optionLabels } from './custom-values.ts'
import { nameFromEmail } from './people.ts'

interface CustomFieldValueProps {
  field: EditedField
  value: unknown
}

/** The value of a custom field as text or chips. */
export function CustomFieldValue({ field, value }: CustomFieldValueProps) {
  const text = formatCustomValue(field, value)
  if (text === '')
    return (
      <Text span inherit c="dimmed">
        {general.none}
      </Text>
    )
  if (field.type === 'multi_select')
    return (
      <Group gap={4} component="span" wrap="wrap">
        {optionLabels(field, value).map((label) => (
          <Badge key={label} variant="default" size="sm" radius="sm" tt="none" fw={500} component="span">
            <bdi>{label}</bdi>
          </Badge>
        ))}
      </Group>
    )
  if (field.type === 'user') return <bdi title={text}>{nameFromEmail(text)}</bdi>
  return (
    <bdi style={field.type === 'long_text' ? { whiteSpace: 'pre-wrap' } : undefined}>
      {field.type === 'url' ? withoutProtocol(text) : text}
    </bdi>
  )
}

/** A link that opens the value of a `url` or writes to an `email`. Nothing for other types. */
export function CustomFieldLink({ field, value }: CustomFieldValueProps) {
  if (typeof value !== 'string') return null
  if (field.type === 'url')
    return (
      <ActionIcon
        component="a"
        href={value}
        target="_blank"
        rel="noopener noreferrer"
        variant="subtle"
        aria-label={strings.openUrl(field.label)}
      >
        <IconExternalLink size={16} aria-hidden />
      </ActionIcon>
    )
  if (field.type === 'email')
    return (
      <ActionIcon
        component="a"
        href={mailAddress(value)}
        variant="subtle"
        aria-label={strings.writeTo(field.label)}
      >
        <IconMail size={16} aria-hidden />
      </ActionIcon>
    )
  return null
}
