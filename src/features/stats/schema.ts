import { type Static, Type } from 'typebox'
import { Data, endpoint, Named } from '#src/platform/schema/shapes.ts'

export const Stats = Named('Stats', {
  companies_total: Type.Integer(),
  companies_active: Type.Integer(),
  dealflow_active: Type.Integer(),
  theses_active: Type.Integer(),
})
export type Stats = Static<typeof Stats>

export const getStats = endpoint('GET', '/api/stats', {
  operationId: 'getStats',
  'x-action': 'read',
  tags: ['Stats'],
  summary: 'Count companies, deals and theses',
  description: 'The totals on the home page.',
  response: {
    200: Data(Stats, {
      companies_total: 2319,
      companies_active: 1607,
      dealflow_active: 12,
      theses_active: 3,
    }),
  },
})
