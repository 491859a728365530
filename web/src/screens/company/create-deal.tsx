import { Alert, Button, Group, NumberInput, Select, Stack, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { STAGES } from '#src/client/client.ts'
import { strings } from '#strings/company.ts'
import { strings as general } from '#strings/general.ts'
import { Dialog } from '#web/parts/dialog.tsx'
import { explain } from '#web/parts/explain.ts'
import { formatWord } from '#web/parts/format.ts'
import { useDraft } from '#web/parts/use-draft.ts'
import { queries } from '#web/service/queries.ts'
import { service } from '#web/service/service.ts'

const NEW_DEAL: { stage: string; probability: string; notes: string } = {
  stage: STAGES[0],
  probability: '',
  notes: '',
}

/** Asks for what a new deal begins with. */
export default function CreateDeal({ companyId, close }: { companyId: string; close: () => void }) {
  const queryClient = useQueryClient()
  const [deal, setDeal, forget] = useDraft(`company ${companyId} new deal`, NEW_DEAL)
  const create = useMutation({
    meta: { tellsOfErrors: true },
    mutationFn: () =>
      service.createDeal({
        body: {
          company_id: companyId,
          stage: deal.stage,
          probability: deal.probability === '' ? null : Number(deal.probability),
          notes: deal.notes.trim() || null,
        },
      }),
    onSuccess: async () => {
      forget()
      notifications.show({ message: strings.dealCreated })
      queryClient.invalidateQueries({ queryKey: ['deals'] })
      queryClient.invalidateQueries({ queryKey: ['activity'] })
      queryClient.invalidateQueries({ queryKey: ['stats'] })
      await queryClient.invalidateQueries({ queryKey: queries.company(companyId).queryKey })
      close()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Dialog onClose={close} title={strings.createDeal}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Select
            label={strings.stage}
            data={STAGES.map((stage) => ({ value: stage, label: formatWord(stage) }))}
            value={deal.stage}
            onChange={(stage) => stage && setDeal({ ...deal, stage })}
            allowDeselect={false}
            data-autofocus
          />
          <NumberInput
            label={strings.probability}
            description={strings.percent}
            value={deal.probability}
            onChange={(probability) => setDeal({ ...deal, probability: String(probability) })}
            min={0}
            max={100}
            step={5}
            allowDecimal={false}
            clampBehavior="strict"
            suffix=" %"
          />
          <Textarea
            label={strings.notes}
            value={deal.notes}
            onChange={(event) => setDeal({ ...deal, notes: event.currentTarget.value })}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={20_000}
            dir="auto"
          />
          {create.isError && (
            <Alert color="red" role="alert">
              {explain(create.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {strings.createDeal}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
