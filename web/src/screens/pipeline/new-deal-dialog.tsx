import { Alert, Button, Group, Stack, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { MAX_NOTES_LENGTH, STAGES } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/pipeline.ts'
import { useDraft } from '#web/editing/use-draft.ts'
import { type ChosenCompany, CompanySelect } from '#web/fields/company-select.tsx'
import { ProbabilityField } from '#web/fields/probability-field.tsx'
import { WordSelect } from '#web/fields/word-select.tsx'
import { errorMessage } from '#web/service/error-message.ts'
import { service } from '#web/service/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'

interface Draft {
  company: ChosenCompany | null
  stage: string
  probability: number | null
  notes: string
}

const EMPTY: Draft = { company: null, stage: 'initial', probability: null, notes: '' }

interface NewDealProps {
  /** If omitted, the user selects one. */
  company?: ChosenCompany
  close: () => void
}

/** The dialog that creates a deal. */
export default function NewDeal({ company: given, close }: NewDealProps) {
  const queryClient = useQueryClient()
  const [draft, setDraft, clearDraft] = useDraft<Draft>(given ? `company ${given.id} new deal` : 'new-deal', {
    ...EMPTY,
    company: given ?? null,
  })
  const [isCompanyMissing, setIsCompanyMissing] = useState(false)
  const create = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async ({ company, stage, probability, notes }: Draft) =>
      service.createDeal({
        body: {
          company_id: company?.id ?? '',
          stage,
          probability,
          notes: notes.trim() === '' ? null : notes,
        },
      }),
    onSuccess: ({ data }, { company }) => {
      for (const queryKey of [['deals'], ['companies', 'one', data.company_id], ['stats'], ['activity']])
        queryClient.invalidateQueries({ queryKey })
      notifications.show({ message: strings.dealCreated(company?.name ?? strings.noName) })
      clearDraft()
      close()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsCompanyMissing(draft.company === null)
    if (draft.company) create.mutate(draft)
  }
  const cancel = () => {
    clearDraft()
    close()
  }
  return (
    <Dialog onClose={close} title={strings.newDeal} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          {!given && (
            <CompanySelect
              company={draft.company}
              choose={(company) => setDraft({ ...draft, company })}
              error={isCompanyMissing && !draft.company ? strings.companyRequired : null}
            />
          )}
          <WordSelect
            label={strings.stage}
            words={STAGES}
            value={draft.stage}
            onChange={(stage) => setDraft({ ...draft, stage })}
            newWord={strings.newStage}
            notAWord={strings.invalidWord}
          />
          <ProbabilityField
            value={draft.probability}
            onChange={(probability) => setDraft({ ...draft, probability })}
          />
          <Textarea
            label={strings.notes}
            placeholder={strings.notesPlaceholder}
            autosize
            minRows={4}
            maxRows={14}
            maxLength={MAX_NOTES_LENGTH}
            value={draft.notes}
            dir="auto"
            onChange={({ currentTarget }) => setDraft({ ...draft, notes: currentTarget.value })}
          />
          {create.isError && (
            <Alert color="red" role="alert" title={general.notSaved}>
              {errorMessage(create.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {strings.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
