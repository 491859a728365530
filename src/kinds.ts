import { activityFields } from './features/activity/index.ts'
import { companyFieldKind } from './features/companies/index.ts'
import { dealFieldKind } from './features/deals/index.ts'
import { thesisFields } from './features/theses/index.ts'

/** The kinds of records that can be filtered and sorted. */
export const FIELD_KINDS = {
  company: companyFieldKind,
  deal: dealFieldKind,
  thesis: { entity: 'thesis', readFields: async () => thesisFields },
  activity: { entity: 'activity', readFields: async () => activityFields },
} as const
