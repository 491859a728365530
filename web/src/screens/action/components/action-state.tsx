import { Alert, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { strings } from '#strings/actions.ts'
import { SkippedRecords } from '#web/activity/skipped-records.tsx'
import type { Action } from '#web/api/service.ts'
import { ScreenLink } from '#web/ui/link.tsx'

/** Whether an action was undone, and what it did if it is an undo. */
export function ActionState({ action: { undone_by, undoes, outcome } }: { action: Action }) {
  return (
    <>
      {undone_by && (
        <Alert color="gray" icon={<IconArrowBackUp aria-hidden />} title={strings.wasUndone} role="status">
          <ActionLink id={undone_by}>{strings.viewUndo}</ActionLink>
        </Alert>
      )}
      {undoes && (
        <Alert color="gray" icon={<IconArrowBackUp aria-hidden />} title={strings.isUndo} role="status">
          <Text size="sm" mb={4}>
            {outcome && strings.changesUndone(outcome.reverted)}
            {outcome?.finished === false && ` ${strings.stillUndoing}`}
          </Text>
          <ActionLink id={undoes}>{strings.viewUndone}</ActionLink>
        </Alert>
      )}
      {undoes && outcome && outcome.skipped.length > 0 && (
        <SkippedRecords
          title={strings.skippedTitle}
          skipped={outcome.skipped}
          omitted={outcome.skipped_omitted}
          actionId={undoes}
        />
      )}
    </>
  )
}

function ActionLink({ id, children }: { id: string; children: string }) {
  return (
    <ScreenLink to="/activity/actions/$id" params={{ id }} size="sm" underline="always">
      {children}
    </ScreenLink>
  )
}
