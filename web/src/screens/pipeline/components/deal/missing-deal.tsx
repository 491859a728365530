import { IconMoodSearch } from '@tabler/icons-react'
import { strings } from '#strings/pipeline.ts'
import { isInTrash, TrashedRecord } from '#web/activity/trashed-record.tsx'
import { EmptyState } from '#web/ui/states.tsx'

/** In place of a deal that is in the trash, or does not exist. */
export const MissingDeal = ({ id, error }: { id: string; error: unknown }) =>
  isInTrash(error) ? (
    <TrashedRecord id={id} />
  ) : (
    <EmptyState icon={<IconMoodSearch aria-hidden />} title={strings.dealNotFound}>
      {strings.dealNotFoundHelp}
    </EmptyState>
  )
