import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { MAX_NOTES_LENGTH } from '#src/client/limits.ts'
import { strings as fields } from '#strings/fields.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/pipeline.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queries } from '#web/api/queries.ts'
import { type Deal, service } from '#web/api/service.ts'
import { useDraft } from '#web/editing/use-draft.ts'
import { CompanySelect } from '#web/fields/company-select.tsx'
import { CustomFieldInput } from '#web/fields/custom-field-input.tsx'
import { OwnerField } from '#web/fields/owner-field.tsx'
import { ProbabilityField } from '#web/fields/probability-field.tsx'
import type { ChosenRecord } from '#web/fields/record-select.tsx'
import { type DealSource, NO_SOURCE, SourceField } from '#web/fields/source-field.tsx'
import { WordSelect } from '#web/fields/word-select.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { companyNameOf, labelOfStage } from '../../deals.ts'
import { nameOfTerm, newTerms, problemOf, problemsOf } from '../../new-terms.ts'
import { TERMS, type Term } from '../../terms.ts'

interface Draft {
  company: ChosenRecord | null
  stage: string
  /** null: the user who creates the deal. */
  owner: { email: string | null } | null
  probability: number | null
  notes: string
  source: DealSource
  /** The texts of the terms by name. */
  terms: Record<string, string>
}

const EMPTY: Draft = {
  company: null,
  stage: '',
  owner: null,
  probability: null,
  notes: '',
  source: NO_SOURCE,
  terms: {},
}
/** The stage of deals that are created without one, if no stages are configured. */
const FIRST_STAGE = 'initial'

interface NewDealProps {
  /** If omitted, the user selects one. */
  company?: ChosenRecord
  /** Says which of several companies the deal is for. */
  note?: string
  close: () => void
}

/** The dialog that creates a deal. */
export default function NewDeal({ company: input, note, close }: NewDealProps) {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  const { data: config } = useQuery(fieldQueries.stageConfig())
  const { data: custom = [] } = useQuery(fieldQueries.customFields('deal'))
  const terms: Term[] = [
    ...TERMS,
    ...custom.filter(({ archived }) => !archived).map((field) => ({ ...field, isCustom: true })),
  ]
  const stages = (config?.stages ?? []).map(({ key, label, outcome }) => ({ stage: key, label, outcome }))
  const [draft, setDraft, clearDraft] = useDraft<Draft>(input ? `company ${input.id} new deal` : 'new-deal', {
    ...EMPTY,
    company: input ?? null,
  })
  const owner = draft.owner ? draft.owner.email : (me?.email ?? null)
  const stage = draft.stage || stages[0]?.stage || FIRST_STAGE
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [isCompanyMissing, setIsCompanyMissing] = useState(false)
  const companyInput = useRef<HTMLInputElement>(null)
  const isShown = useIsMounted()
  const create = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: async ({ company, probability, notes, source }: Draft) =>
      service.createDeal({
        body: {
          company_id: company?.id ?? '',
          stage,
          owner_email: owner,
          probability,
          notes: notes.trim() === '' ? null : notes,
          source_type: source.source_type,
          source_id: source.source_id,
          ...newTerms(terms, draft.terms),
        },
      }),
    onError: (error) => setProblems(problemOf(terms, errorMessage(error))),
    onSuccess: ({ data }) => {
      const company = ['companies', 'one', data.company_id]
      for (const queryKey of [['deals'], company, ['theses', 'matches'], ['stats'], ['activity']])
        queryClient.invalidateQueries({ queryKey })
      clearDraft()
      if (isShown()) close()
    },
  })
  // A second active deal is often a mistake, so it needs confirmation.
  const [activeDeal, askAbout] = useState<Deal | null>(null)
  const isAsking = activeDeal !== null && activeDeal.company_id === draft.company?.id
  const check = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: async ({ id }: ChosenRecord) => {
      const querystring = { company_id: id, status: 'active', limit: 1 }
      return (await service.listDeals({ querystring })).data[0]
    },
    onSuccess: (active) => {
      // Nothing has been sent, and the dialog that would ask is closed.
      if (!isShown()) return
      if (active) askAbout(active)
      else create.mutate(draft)
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsCompanyMissing(draft.company === null)
    if (!draft.company) companyInput.current?.focus()
    const found = problemsOf(terms, draft.terms)
    setProblems(found)
    if (!draft.company || Object.keys(found).length > 0) return
    if (isAsking) create.mutate(draft)
    else check.mutate(draft.company)
  }
  const cancel = () => {
    clearDraft()
    close()
  }
  return (
    <Dialog onClose={close} title={strings.newDeal} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          {note && (
            <Text size="sm" className="break-anywhere">
              {note}
            </Text>
          )}
          {!input && (
            <CompanySelect
              label={strings.company}
              placeholder={strings.companyPlaceholder}
              required
              isFirst
              ref={companyInput}
              record={draft.company}
              choose={(company) => setDraft({ ...draft, company })}
              error={isCompanyMissing && !draft.company ? strings.companyRequired : null}
            />
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            <WordSelect
              label={strings.stage}
              words={stages.map(({ stage }) => stage)}
              labelOf={(key) => labelOfStage(stages, key)}
              value={stage}
              onChange={(chosen) => setDraft({ ...draft, stage: chosen })}
              newWordLabel={strings.newStage}
              notAWord={strings.invalidWord}
            />
            <OwnerField
              label={strings.owner}
              email={owner}
              onChange={(email) => setDraft({ ...draft, owner: { email } })}
            />
            {terms.map((term) => (
              <CustomFieldInput
                key={term.key}
                field={term}
                text={draft.terms[nameOfTerm(term)] ?? ''}
                onChange={(text) =>
                  setDraft({ ...draft, terms: { ...draft.terms, [nameOfTerm(term)]: text } })
                }
                error={problems[nameOfTerm(term)] ?? null}
                required={term.required}
              />
            ))}
            <SourceField
              label={fields.broughtBy}
              source={draft.source}
              onChange={(source) => setDraft({ ...draft, source })}
            />
          </SimpleGrid>
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
          {isAsking && (
            <Alert color="yellow" role="alert" title={strings.secondDealTitle}>
              {strings.secondDeal(companyNameOf(activeDeal), labelOfStage(stages, activeDeal.stage))}{' '}
              <ScreenLink
                to="/deals/$id"
                params={{ id: activeDeal.id }}
                c="inherit"
                size="sm"
                underline="always"
                onClick={close}
              >
                {strings.openActiveDeal}
              </ScreenLink>
            </Alert>
          )}
          {(create.isError || check.isError) && Object.keys(problems).length === 0 && (
            <Alert color="red" role="alert" title={general.notSaved}>
              {errorMessage(create.error ?? check.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={create.isPending || check.isPending}>
              {isAsking ? strings.createSecond : strings.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
