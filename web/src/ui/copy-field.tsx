import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { strings } from '#strings/general.ts'

interface CopyFieldProps {
  label: string
  value: string
  /** Whether the button gets the focus of a dialog. */
  isFirst?: boolean
}

/** A secret that is shown once, with a button that copies it. */
export function CopyField({ label, value, isFirst = false }: CopyFieldProps) {
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        label={label}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        style={{ flex: '1 1 20rem' }}
        autoComplete="off"
        spellCheck={false}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            data-autofocus={isFirst || undefined}
          >
            <span aria-live="polite">{copied ? strings.copied : strings.copy}</span>
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
