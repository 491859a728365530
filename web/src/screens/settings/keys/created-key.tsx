import { Alert, Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react'
import { strings } from '#strings/keys.ts'
import { Dialog } from '#web/ui/dialog.tsx'

/** Shows a new key, once, with an example of its use. It closes only with its button, so that no key is lost. */
export function CreatedKey({
  created,
  close,
}: {
  created: { key: string; name: string }
  close: () => void
}) {
  const example = `curl -H "Authorization: Bearer ${created.key}" ${location.origin}/api/stats`
  return (
    <Dialog
      onClose={close}
      title={strings.createdTitle}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" icon={<IconKey aria-hidden />} role="status">
          {strings.createdHelp}
        </Alert>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={strings.key}
            value={created.key}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            style={{ flex: '1 1 20rem' }}
            autoComplete="off"
            spellCheck={false}
          />
          <Copy text={created.key} />
        </Group>
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {strings.example}
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {example}
          </Code>
        </Stack>
        <Group justify="flex-end">
          <Button onClick={close}>{strings.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Copy({ text }: { text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          data-autofocus
        >
          <span aria-live="polite">{copied ? strings.copied : strings.copy}</span>
        </Button>
      )}
    </CopyButton>
  )
}
