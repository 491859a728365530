import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { strings } from '#strings/conflict.ts'
import classes from './record-conflict.module.css'

interface RecordConflictProps {
  title: string
  /** Whether the user saved the other version, such as in another tab. */
  isOwn?: boolean
  /** The fields in which the versions differ. */
  fields: { label: string; theirs: string; mine: string }[]
  /** The labels of the fields that only the other user has changed. */
  onlyTheirs: string[]
  choices: { label: string; choose: () => void }[]
}

/** Shows the fields that two people changed in both versions, and lets the user choose. */
export function RecordConflict({ title, isOwn = false, fields, onlyTheirs, choices }: RecordConflictProps) {
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Alert ref={alert} color="orange" role="alert" icon={<IconUsers aria-hidden />} title={title}>
      <Stack gap="sm">
        <Text size="sm">{strings.help}</Text>
        {fields.map(({ label, theirs, mine }) => (
          <section key={label} aria-label={label}>
            <Text size="sm" fw={600} mb={4}>
              {label}
            </Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              <Version label={isOwn ? strings.saved : strings.theirs} text={theirs} />
              <Version label={isOwn ? strings.typed : strings.mine} text={mine} />
            </SimpleGrid>
          </section>
        ))}
        {onlyTheirs.length > 0 && (
          <Text size="sm">{(isOwn ? strings.onlySaved : strings.onlyTheirs)(onlyTheirs.join(', '))}</Text>
        )}
        <Group gap="xs">
          {choices.map(({ label, choose }) => (
            <Button key={label} size="xs" variant="default" onClick={choose}>
              {label}
            </Button>
          ))}
        </Group>
      </Stack>
    </Alert>
  )
}

function Version({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Text size="xs">{label}</Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <section className={classes.version} tabIndex={0} aria-label={label} dir="auto">
        {text || strings.noValue}
      </section>
    </div>
  )
}
