import { Alert, Anchor, Button, Code, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import { strings } from '#strings/feedback.ts'

/** The outcome: the feedback was filed as an issue, or queued until the tracker is available. */
export type Outcome =
  | { kind: 'filed'; issueId: string; url: string }
  | { kind: 'queued'; id: string; reason: string }

interface FeedbackOutcomeProps {
  outcome: Outcome
  another: () => void
  close: () => void
}

export function FeedbackOutcome({ outcome, another, close }: FeedbackOutcomeProps) {
  return (
    <Stack role="status">
      {outcome.kind === 'filed' ? (
        <Alert color="teal" icon={<IconCircleCheck aria-hidden />} title={strings.sentTitle}>
          <Text size="sm" className="break-anywhere">
            {strings.sentAs} <IssueLink {...outcome} />
          </Text>
        </Alert>
      ) : (
        <Alert color="teal" icon={<IconClock aria-hidden />} title={strings.queuedTitle}>
          <Stack gap="xs">
            <Text size="sm">{strings.queuedHelp}</Text>
            <Text size="sm">
              {strings.queuedAs}{' '}
              <Anchor href={`/api/feedback/${outcome.id}`} target="_blank" rel="noopener" inherit>
                <Code>{outcome.id}</Code> <VisuallyHidden>{strings.opensInNewTab}</VisuallyHidden>
              </Anchor>
            </Text>
            <Text size="xs" c="dimmed" className="break-anywhere">
              {outcome.reason}
            </Text>
          </Stack>
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={another}>
          {strings.sendMore}
        </Button>
        <Button ref={focusOnce} onClick={close}>
          {strings.close}
        </Button>
      </Group>
    </Stack>
  )
}

/** The focused element has disappeared with the form. */
const focusOnce = (button: HTMLButtonElement | null) => button?.focus()

function IssueLink({ issueId, url }: { issueId: string; url: string }) {
  const isOurs = url.startsWith('/') && !url.startsWith('//')
  if (!isOurs && !/^https?:\/\//i.test(url)) return <Code>{issueId}</Code>
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit>
      {strings.issue(issueId)} <VisuallyHidden>{strings.opensInNewTab}</VisuallyHidden>
    </Anchor>
  )
}
