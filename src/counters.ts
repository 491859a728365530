import { activityCounter } from './features/activity/counter.ts'
import { companyCounter } from './features/companies/counter.ts'
import type { Counter } from './platform/database/counters.ts'

/** Every counter, as the slices declare them. */
export const COUNTERS: readonly Counter[] = [companyCounter, activityCounter]
