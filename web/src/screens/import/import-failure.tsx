import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlayerStop } from '@tabler/icons-react'
import { ApiError, ServiceUnreachable } from '#src/client/errors.ts'
import { strings } from '#strings/import.ts'
import { errorMessage } from '#web/service/error-message.ts'

/** Whether no column holds the names; what the service says of it is for those who call the API. */
export const isNameColumnMissing = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /recognised as the company's name/.test(error.details)

/** Why a file was not checked or imported, as a sentence. */
export const importErrorMessage = (error: unknown): string =>
  isNameColumnMissing(error)
    ? strings.chooseNames
    : error instanceof ApiError && error.status === 413
      ? strings.tooLarge
      : errorMessage(error)

interface ImportFailureProps {
  error: unknown
  /** Whether the reader stopped it. */
  isStopped: boolean
}

/** Why an import did not come to its end, and what has become of what it wrote. */
export function ImportFailure({ error, isStopped }: ImportFailureProps) {
  if (isStopped)
    return (
      <Alert color="blue" icon={<IconPlayerStop aria-hidden />} title={strings.stopped} role="status">
        {strings.stoppedExplained}
      </Alert>
    )
  const isLost = error instanceof ServiceUnreachable
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={isLost ? strings.lost : strings.refused}
      role="alert"
      className="break-anywhere"
    >
      <Stack gap="xs">
        <Text size="sm">{isLost ? strings.lostExplained : importErrorMessage(error)}</Text>
        {!isLost && <Text size="sm">{strings.safe}</Text>}
      </Stack>
    </Alert>
  )
}
