import { strings } from '#strings/duplicates.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { MergeDialog } from '#web/merge/merge-dialog.tsx'

interface MergeCompaniesProps {
  companies: readonly { id: string; name: string }[]
  close: () => void
}

/** Merges companies. */
export const MergeCompanies = ({ companies, close }: MergeCompaniesProps) => (
  <MergeDialog
    entity="company"
    records={companies}
    previewOf={queries.mergePreview}
    movesOf={({ moved }) => strings.moves(moved)}
    // The details of a score come with the score.
    leavesOut={(field, fields) => field === 'llm_score_details' && fields.has('llm_score_overall')}
    merge={(id, from, choose) => service.mergeCompanies({ params: { id }, body: { from, choose } })}
    close={close}
  />
)
