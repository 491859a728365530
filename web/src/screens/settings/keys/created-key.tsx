import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { strings } from '#strings/keys.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
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
        <CopyField label={strings.key} value={created.key} isFirst />
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
