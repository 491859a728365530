import { type Static, Type } from 'typebox'
import { SourceName, sourceProperties } from '#src/features/deals/source-schema.ts'
import { endpoint, Named, Nullable, Page, pageQuery, Strict } from '#src/platform/schema/shapes.ts'

export const SourceStats = Named('SourceStats', {
  year: Type.Integer({ description: 'The year in which the deals were created, in UTC.' }),
  ...sourceProperties,
  source_name: SourceName,
  deals: Type.Integer({ description: 'Deals that are not in the trash.' }),
  meetings: Nullable(
    Type.Integer({
      description:
        'The deals that are or were in the first stage for meetings or a later one, except those for lost deals. Moves that ' +
        'were undone do not count. The first stage for meetings is the first open one whose key has the word meeting; null ' +
        'if no stage has it.',
    }),
  ),
  wins: Type.Integer({
    description: 'Deals with the status won, or in a stage for won deals with a status other than lost.',
  }),
  amount_won_eur: Type.Number({ description: 'The sum of the amounts of the won deals.' }),
})

export const SourceStatsQuery = Strict(
  Type.Object({
    ...pageQuery(),
    year: Type.Optional(
      Type.Integer({
        minimum: 1970,
        maximum: 9999,
        description: 'Only deals that were created in this year, in UTC.',
      }),
    ),
  }),
)
export type SourceStatsQuery = Static<typeof SourceStatsQuery>

export const getSourceStats = endpoint('GET', '/api/stats/sources', {
  operationId: 'getSourceStats',
  'x-action': 'read',
  tags: ['Stats'],
  summary: 'Count deals, meetings, and wins by source',
  description:
    'One entry for each source and year, those with most deals first. Deals without a source have an entry of their own, with ' +
    'the source_type null.',
  querystring: SourceStatsQuery,
  response: {
    200: Page(SourceStats, {
      year: 2026,
      source_type: 'person',
      source_id: 'per_01jw3f8x67q4e6g8j0m2p4r6t8',
      source_name: 'Ingrid Solberg',
      deals: 7,
      meetings: 5,
      wins: 1,
      amount_won_eur: 1_500_000,
    }),
  },
})
