import { type Static, Type } from 'typebox'
import { CompanyPath } from '#src/features/companies/schema.ts'
import { idPath, MovedAnswer } from '#src/features/trash/schema.ts'
import { Data, endpoint, Named, Nullable, OneOf, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

export const SECTIONS = [
  'facts',
  'changes',
  'people',
  'relationships',
  'decisions',
  'deals',
  'score',
  'notes',
] as const

const ITEM_TYPES = ['company', 'deal', 'person', 'note', 'decision'] as const

export const BriefItem = Named('BriefItem', {
  label: Nullable(Type.String({ description: 'What the text is, such as the name of a field.' })),
  text: Type.String({ description: 'Plain text of one line.' }),
  at: Nullable({ ...Timestamp, description: 'When it happened.' }),
  user_email: Nullable(Type.String({ description: 'Who did it.' })),
  type: Nullable(OneOf(ITEM_TYPES, { description: 'The kind of the record that the item is about.' })),
  id: Nullable(Type.String({ description: 'The id of that record.' })),
})
export type BriefItem = Static<typeof BriefItem>

export const BriefSection = Named('BriefSection', {
  key: OneOf(SECTIONS),
  title: Type.String(),
  items: Type.Array(BriefItem),
  more: Type.Integer({ minimum: 0, description: 'How many items are left out.' }),
})
export type BriefSection = Static<typeof BriefSection>

const Brief = Named('Brief', {
  title: Type.String({ description: 'The name of the company or the person; of a deal, with the round.' }),
  generated_at: Timestamp,
  sections: Type.Array(BriefSection, { description: `In this order: ${SECTIONS.join(', ')}.` }),
})
export type Brief = Static<typeof Brief>

const example: Brief = {
  title: 'Nordlys Robotics',
  generated_at: '2026-06-01T07:00:00.000Z',
  sections: [
    {
      key: 'changes',
      title: 'Changes since the meeting of 2026-05-11',
      items: [
        {
          ...{ label: 'Deal: Stage', text: 'Meeting → Due diligence', at: '2026-05-20T08:12:00.000Z' },
          ...{ user_email: 'ada@example.com', type: 'deal', id: 'df_01jw3f8x61f5t8v0x2z4b6d8g0' },
        },
      ],
      more: 0,
    },
  ],
}

const querystring = Strict(
  Type.Object({
    format: Type.Optional(
      OneOf(['json', 'markdown'], {
        default: 'json',
        description: '`markdown` answers with the same page as `text/markdown`, without an envelope.',
      }),
    ),
  }),
)

const answer = { ...Data(Brief, example), 'x-markdown': true }

const shared = {
  'x-action': 'read' as const,
  tags: ['Briefs'],
  querystring,
}

const description =
  'One page for a meeting, made by rules without a model: facts, changes since the last meeting, people and the last contact, ' +
  'who knows them, decisions, deals, the score with reasons, and the notes of the last 180 days that the caller may see. ' +
  'Sections are limited; `more` says how many items are left out.'

export const getCompanyBrief = endpoint('GET', '/api/companies/:id/brief', {
  ...shared,
  operationId: 'getCompanyBrief',
  summary: 'Get a brief of a company',
  description,
  params: CompanyPath,
  response: { 200: answer, 301: MovedAnswer },
})

export const getPersonBrief = endpoint('GET', '/api/people/:id/brief', {
  ...shared,
  operationId: 'getPersonBrief',
  summary: 'Get a brief of a person',
  description: `${description} Decisions, deals, and scores are those of the present companies.`,
  params: idPath('The id of a person: per_…'),
  response: { 200: answer, 301: MovedAnswer },
})

export const getDealBrief = endpoint('GET', '/api/dealflow/:id/brief', {
  ...shared,
  operationId: 'getDealBrief',
  summary: 'Get a brief of a deal',
  description: `${description} People, decisions, and the score are those of the company.`,
  params: idPath('The id of a deal: df_…'),
  response: { 200: answer },
})
