import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { MAX_LOST_REASON_LENGTH } from '#src/client/limits.ts'
import { strings as decisions } from '#strings/decisions.ts'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import type { DecisionStart } from '#web/decisions/decision-dialog.tsx'
import { formatWord } from '#web/format/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import type { DealChanges } from '../../deal-cache.ts'
import { companyNameOf, labelOfStage, lowercaseWord, matchingStatus, type Stage } from '../../deals.ts'
import { useUpdateDeals } from '../../hooks/use-move-deals.ts'
import { useUpdateDeal } from '../../hooks/use-update-deal.tsx'

interface OutcomeDialogProps {
  /** Deals that have moved to the same stage. */
  deals: readonly Deal[]
  stages: readonly Stage[]
  /** Opens the dialog of a decision. */
  decide: (start: DecisionStart) => void
  close: () => void
}

/**
 * Offers to update the status of deals that have moved to a stage that implies another one, and asks why deals were
 * lost. The deals stay in their new stage either way.
 */
export function OutcomeDialog({ deals, stages, decide, close }: OutcomeDialogProps) {
  const [first] = deals
  const outcome = stages.find(({ stage }) => stage === first?.stage)?.outcome ?? null
  const { save } = useSaveOutcome(deals)
  const [reason, setReason] = useState(deals.length === 1 ? (first?.lost_reason ?? '') : '')
  if (!first) return null
  const isLost = outcome === 'lost'
  const status = deals.map((deal) => matchingStatus(deal, outcome)).find((matching) => matching !== null)
  const saveOutcome = () => {
    save({
      ...(status && { status }),
      ...(isLost && reason.trim() !== '' && { lost_reason: reason.trim() }),
    })
    close()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saveOutcome()
  }
  const recordDecision = () => {
    saveOutcome()
    const { company_id, company_name, id } = first
    const company = { companyId: company_id, companyName: company_name }
    decide({ ...company, dealId: id, outcome: 'pass', body: reason.trim() })
  }
  const label = labelOfStage(stages, first.stage)
  return (
    <Dialog
      onClose={close}
      title={
        isLost
          ? strings.lostTitle(deals.length)
          : strings.markTitle(lowercaseWord(status ?? ''), deals.length)
      }
      centered
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" className="break-anywhere" dir="auto">
            {deals.length > 1 && strings.manyMoved(deals.length, label)}
            {deals.length === 1 &&
              status &&
              strings.markQuestion(companyNameOf(first), label, formatWord(first.status))}
            {deals.length === 1 && !status && strings.moved(companyNameOf(first), label)}
          </Text>
          {isLost && (
            <Textarea
              label={strings.lostReason}
              description={strings.lostReasonHelp}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={MAX_LOST_REASON_LENGTH}
              value={reason}
              dir="auto"
              data-autofocus
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            {isLost && deals.length === 1 && (
              <Button variant="subtle" onClick={recordDecision} me="auto">
                {decisions.recordOf}
              </Button>
            )}
            <Button variant="default" onClick={close}>
              {status ? strings.keepStatus(keptStatus(deals)) : strings.skip}
            </Button>
            <Button
              type="submit"
              {...(!isLost && { 'data-autofocus': true })}
              disabled={!status && reason.trim() === ''}
            >
              {status ? strings.mark(lowercaseWord(status)) : strings.saveReason}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The status that all deals have; otherwise undefined. */
function keptStatus(deals: readonly Deal[]): string | undefined {
  const [status, ...others] = new Set(deals.map((deal) => deal.status))
  return status !== undefined && others.length === 0 ? lowercaseWord(status) : undefined
}

function useSaveOutcome(deals: readonly Deal[]) {
  const { mutate: updateDeal } = useUpdateDeal()
  const { mutate: updateDeals } = useUpdateDeals()
  const [first, ...others] = deals
  const save = (changes: DealChanges) => {
    if (Object.keys(changes).length === 0) return
    if (first && others.length === 0) updateDeal({ deal: first, changes, retry: () => save(changes) })
    else updateDeals({ deals, changes })
  }
  return { save }
}
