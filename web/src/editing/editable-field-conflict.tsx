import { Alert, Button, Stack, Text } from '@mantine/core'
import { strings } from '#strings/editable-field.ts'
import classes from './editable-field.module.css'

interface EditableFieldConflictProps {
  remote: string
  mine: string
  takeRemote: () => void
  keepMine: () => void
}

/** Shows both versions of a value that two people changed, and lets the user choose one. */
export function EditableFieldConflict({ remote, mine, takeRemote, keepMine }: EditableFieldConflictProps) {
  return (
    <Alert
      role="alert"
      color="orange"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      variant="outline"
      p="sm"
      title={strings.conflictTitle}
    >
      <Stack gap="xs">
        <Text size="sm">{strings.conflictHelp}</Text>
        <Version label={strings.theirs} text={remote} action={strings.useTheirs} choose={takeRemote} />
        <Version label={strings.mine} text={mine} action={strings.keepMine} choose={keepMine} />
      </Stack>
    </Alert>
  )
}

interface VersionProps {
  label: string
  text: string
  action: string
  choose: () => void
}

function Version({ label, text, action, choose }: VersionProps) {
  return (
    <Stack gap={4} align="flex-start">
      <Text size="xs" fw={600}>
        {label}
      </Text>
      <Text size="sm" dir="auto" className={classes.preserved} lineClamp={8}>
        {text || strings.empty}
      </Text>
      <Button size="compact-sm" variant="default" onClick={choose}>
        {action}
      </Button>
    </Stack>
  )
}
