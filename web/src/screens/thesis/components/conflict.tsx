import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { strings } from '#strings/theses.ts'
import type { Thesis } from '#web/api/service.ts'
import { changedFields } from '#web/editing/record-changes.ts'
import { formatWord } from '#web/format/format.ts'
import type { ThesisDraft } from '../hooks/use-thesis-draft.ts'
import { merged, type ThesisText, thesisText } from '../thesis-draft.ts'
import classes from './conflict.module.css'

interface ConflictProps {
  draft: ThesisDraft
  remote: Thesis
  keepMine: (remote: Thesis) => void
  takeRemote: (remote: Thesis) => void
}

const LABELS: Record<keyof ThesisText, string> = {
  code: strings.code,
  title: strings.thesisTitle,
  summary: strings.summary,
  status: strings.status,
  report_markdown: strings.report,
}

/** Compares the user's version with one that someone else saved, and lets the user choose. */
export function Conflict({ draft, remote, keepMine, takeRemote }: ConflictProps) {
  const other = thesisText(remote)
  const mine = merged(draft.text, draft.from, other)
  const differing = changedFields(mine, other)
  const onlyRemote = changedFields(other, draft.from).filter((field) => !differing.includes(field))
  const show = (text: ThesisText, field: keyof ThesisText) =>
    field === 'status' ? formatWord(text.status) : text[field] || strings.noValue
  return (
    <Alert color="orange" role="alert" icon={<IconUsers aria-hidden />} title={strings.conflictTitle}>
      <Stack gap="sm">
        <Text size="sm">{strings.conflict}</Text>
        {differing.map((field) => (
          <section key={field} aria-label={LABELS[field]}>
            <Text size="sm" fw={600} mb={4}>
              {LABELS[field]}
            </Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              <Version label={strings.theirs} text={show(other, field)} />
              <Version label={strings.mine} text={show(mine, field)} />
            </SimpleGrid>
          </section>
        ))}
        {onlyRemote.length > 0 && (
          <Text size="sm">{strings.onlyTheirs(onlyRemote.map((field) => LABELS[field]).join(', '))}</Text>
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => keepMine(remote)}>
            {strings.keepMine}
          </Button>
          <Button size="xs" variant="default" onClick={() => takeRemote(remote)}>
            {strings.useTheirs}
          </Button>
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
        {text}
      </section>
    </div>
  )
}
