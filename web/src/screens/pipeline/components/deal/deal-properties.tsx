import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings as words } from '#strings/fields.ts'
import { strings } from '#strings/pipeline.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { DealTextActions } from '#web/deals/deal-text.tsx'
import { Properties, type Property } from '#web/fields/properties.tsx'
import { formatMoment } from '#web/format/format.ts'
import type { Composer } from '#web/timeline/composer.tsx'
import { Age } from '#web/ui/age.tsx'
import { Section } from '#web/ui/section.tsx'
import { useUpdateDeal } from '../../hooks/use-update-deal.tsx'
import { LOST_REASON, TERMS, type Term, textOfTerm } from '../../terms.ts'
import { DealFacts, EditableFacts, SourceFact } from './deal-facts.tsx'
import { DealNotes } from './deal-notes.tsx'
import { DealTerm } from './deal-term.tsx'

/** The fields of a deal on its page. Each is saved as soon as it changes. */
export function DealProperties({ deal, composer }: { deal: Deal; composer: Composer }) {
  const { mutateAsync } = useUpdateDeal()
  const mayWrite = useCan('write')
  const actions = {
    makeNote: (body: string) => composer.write({ kind: 'note', body }),
    makeDecision: (body: string) => composer.decide?.({ body }),
  }
  const { data: custom = [] } = useQuery(fieldQueries.customFields('deal'))
  const property = (term: Term): Property => ({
    key: term.key,
    label: term.label,
    isEmpty: textOfTerm(deal, term) === '' && !(term === LOST_REASON && deal.status === 'lost'),
    render: (opensAtOnce) => <DealTerm deal={deal} term={term} opensAtOnce={opensAtOnce} />,
  })
  const source: Property = {
    key: 'source_type',
    label: words.broughtBy,
    isEmpty: deal.source_type === null,
    render: (opensAtOnce) => <SourceFact deal={deal} opensAtOnce={opensAtOnce} />,
  }
  return (
    <>
      <Section title={words.properties}>
        <Stack gap={2}>
          {mayWrite ? <EditableFacts deal={deal} /> : <DealFacts deal={deal} />}
          <Properties
            properties={[
              ...TERMS.map(property),
              source,
              property(LOST_REASON),
              ...custom
                .filter(({ archived }) => !archived)
                .map((field) => property({ ...field, isCustom: true })),
            ]}
          />
          {deal.lost_reason && (
            <DealTextActions label={strings.lostReason} text={deal.lost_reason} {...actions} />
          )}
        </Stack>
        <Text size="xs" c="dimmed" component="div">
          {strings.inStageLabel}{' '}
          <span title={formatMoment(deal.stage_entered_at)}>{formatMoment(deal.stage_entered_at)}</span>
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {strings.created} <Age timestamp={deal.created_at} span inherit /> · {strings.updated}{' '}
          <Age timestamp={deal.updated_at} span inherit />
        </Text>
      </Section>
      <Section title={strings.notes}>
        <DealNotes deal={deal} hideLabel save={(notes) => mutateAsync({ deal, changes: { notes } })} />
        {deal.notes && <DealTextActions label={strings.notes} text={deal.notes} {...actions} />}
      </Section>
    </>
  )
}
