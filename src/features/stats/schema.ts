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

/** How many weeks the weekly counts cover, the current one included. */
export const STATS_WEEKS = 12

export const WeekStats = Named('WeekStats', {
  from: Type.String({ format: 'date', description: 'The Monday on which the week begins, in UTC.' }),
  companies: Type.Integer({ description: 'Companies that were added in the week and are not in the trash.' }),
  deals: Type.Integer({ description: 'Deals that were opened in the week and are not in the trash.' }),
})
export type WeekStats = Static<typeof WeekStats>

export const getWeeklyStats = endpoint('GET', '/api/stats/weekly', {
  operationId: 'getWeeklyStats',
  'x-action': 'read',
  tags: ['Stats'],
  summary: 'Count new companies and deals by week',
  description: `The last ${STATS_WEEKS} weeks, oldest first. The last one is the current week.`,
  response: {
    200: Data(Type.Array(WeekStats), [{ from: '2026-03-02', companies: 41, deals: 3 }]),
  },
})
