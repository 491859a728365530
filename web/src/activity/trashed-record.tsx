import { Button, Group } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/trash.ts'
import { useCan } from '#web/api/use-can.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { useRestore } from './use-restore.ts'

/** Whether a record cannot be read because it is in the trash. Only the error message distinguishes this. */
export const isInTrash = (error: unknown): boolean =>
  error instanceof NotFound && / is in the trash\./.test(error.details)

/** Replaces the screen of a record that is in the trash. */
export function TrashedRecord({ id }: { id: string }) {
  const mayRestore = useCan('delete')
  const restore = useRestore()
  return (
    <EmptyState
      icon={<IconTrash aria-hidden />}
      title={strings.inTrashTitle}
      action={
        <Group gap="xs" mt="xs">
          {mayRestore && (
            <Button loading={restore.isPending} onClick={() => restore.mutate(id)}>
              {strings.restore}
            </Button>
          )}
          <ScreenButton to="/trash" variant="default">
            {strings.viewTrash}
          </ScreenButton>
        </Group>
      }
    >
      {strings.inTrash}
    </EmptyState>
  )
}
