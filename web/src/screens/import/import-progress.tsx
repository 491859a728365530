import { Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { strings } from '#strings/import.ts'

interface ImportProgressProps {
  /** The share of the file that the service has received, 0 to 1. */
  share: number
  stop: () => void
}

/** The progress of an import, with a button that stops it. */
export function ImportProgress({ share, stop }: ImportProgressProps) {
  const isSent = share >= 1
  const words = isSent ? strings.finishing : strings.importingShare(share)
  return (
    <Paper withBorder p="lg" component="section" aria-label={strings.importing}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {strings.importing}
        </Title>
        <Progress value={share * 100} animated={isSent} size="lg" aria-label={words} />
        <Group justify="space-between" gap="sm">
          <Stack gap={0}>
            <Text size="sm">{words}</Text>
            <Text size="sm" c="dimmed">
              {strings.keepOpen}
            </Text>
          </Stack>
          <Button variant="default" onClick={stop}>
            {strings.stop}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
