import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerStop } from '@tabler/icons-react'
import { ApiError, ServiceUnreachable } from '#src/client/errors.ts'
import { strings } from '#strings/import.ts'
import { errorMessage } from '#web/service/error-message.ts'

/** Whether no column was recognized as the company name. The details of this error are written for API users. */
export const isNameColumnMissing = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 400 &&
  /recogni[sz]ed as the company's name/.test(error.details)

/** Explains why a file was not checked or imported. */
export const importErrorMessage = (error: unknown): string =>
  isNameColumnMissing(error)
    ? strings.nameColumnRequired
    : error instanceof ApiError && error.status === 413
      ? strings.tooLarge
      : errorMessage(error)

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
