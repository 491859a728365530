import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { ApiError, ServiceUnreachable } from '#src/client/errors.ts'
import { strings } from '#strings/import.ts'
import { PastImports } from './past-imports.tsx'

const GATEWAY_STATUSES = [502, 504]

/** Whether the answer was lost, so that the import continues if its file has been uploaded. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof ServiceUnreachable ||
  (error instanceof ApiError &&
    (GATEWAY_STATUSES.includes(error.status) ||
      // The client has sent it again, and stopped waiting.
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
