import { actionCounter, activityCounter } from './features/activity/counter.ts'
import { companyCounter, tagCounter } from './features/companies/counter.ts'
import type { Counter } from './platform/database/counters.ts'

/** All counters, which the slices declare. */
export const COUNTERS: readonly Counter[] = [companyCounter, tagCounter, activityCounter, actionCounter]
