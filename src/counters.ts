import { actionCounter, activityCounter } from './features/activity/index.ts'
import { companyCounter, tagCounter } from './features/companies/index.ts'
import type { Counter } from './platform/database/counters.ts'

/** All counters, which the slices declare. */
export const COUNTERS: readonly Counter[] = [companyCounter, tagCounter, activityCounter, actionCounter]
