import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerStop, IconPlugConnectedX } from '@tabler/icons-react'
import { ApiError, ServiceUnreachable } from '#src/client/errors.ts'
import { strings } from '#strings/import.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { PastImports } from './past-imports.tsx'

/** Explains why a file was not checked or imported. */
const importErrorMessage = (error: unknown): string =>
  error instanceof ApiError && error.status === 413 ? strings.tooLarge : errorMessage(error)

interface ImportFailureProps {
  error: unknown
  /** Whether the user stopped it. */
  isStopped: boolean
}

/** Explains why an import failed, and what happened to the rows it saved. */
export function ImportFailure({ error, isStopped }: ImportFailureProps) {
  if (isStopped)
    return (
      <Alert color="blue" icon={<IconPlayerStop aria-hidden />} title={strings.stopped} role="status">
        {strings.stoppedHelp}
      </Alert>
    )
  const isInterrupted = error instanceof ServiceUnreachable
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={isInterrupted ? strings.interrupted : strings.notImported}
      role="alert"
      className="break-anywhere"
    >
      <Stack gap="xs">
        <Text size="sm">{isInterrupted ? strings.interruptedHelp : importErrorMessage(error)}</Text>
        {!isInterrupted && <Text size="sm">{strings.safeToRepeat}</Text>}
      </Stack>
    </Alert>
  )
}

/** The service rejected the file or a setting, and would reject it again. */
const REFUSALS = [400, 413, 415, 422]

interface CheckErrorProps {
  error: unknown
  /** Whether an earlier check has read the file, so that the service rejects a choice and not the file. */
  isRead: boolean
  again: () => void
}

/** Says why a file cannot be checked. The previous check's results stay, so that the last change can be undone. */
export function CheckError({ error, isRead, again }: CheckErrorProps) {
  const isRefused = error instanceof ApiError && REFUSALS.includes(error.status)
  const refused = isRead ? strings.choiceRefused : strings.cannotImport
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={isRefused ? refused : strings.notChecked}
      role="alert"
      className="break-anywhere"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{importErrorMessage(error)}</Text>
        {!isRefused && (
          <Button size="xs" variant="default" onClick={again}>
            {strings.checkAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

const GATEWAY_STATUSES = [502, 504]

/** Whether the response was lost, so that the import continues if its file has been uploaded. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof ServiceUnreachable ||
  (error instanceof ApiError &&
    (GATEWAY_STATUSES.includes(error.status) ||
      // The client sent the request again, and stopped waiting.
      (error.status === 409 && error.details.includes('Idempotency-Key'))))

/** Says that an import continues without this page, and shows the list of imports. */
export function ImportDetached({ another }: { another: () => void }) {
  return (
    <Stack gap="lg">
      <Alert
        color="blue"
        icon={<IconPlugConnectedX aria-hidden />}
        title={strings.connectionLost}
        role="status"
      >
        {strings.connectionLostHelp}
      </Alert>
      <Group>
        <Button variant="default" onClick={another}>
          {strings.importAnother}
        </Button>
      </Group>
      <PastImports />
    </Stack>
  )
}
