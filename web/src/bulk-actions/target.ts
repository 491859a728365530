import { ApiError } from '#src/client/errors.ts'
import { strings } from '#strings/companies.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { service } from '#web/api/service.ts'
import type { Filter } from '#web/filters/tree.ts'

/** All companies that match, if there are as many as expected. */
export interface MatchingTarget {
  filter?: Filter
  search?: string
  expect: number
}

/** The companies that a change or a bulk action is for. */
export type Target = { ids: readonly string[] } | MatchingTarget

/** The service requires a filter. */
export const EVERY_COMPANY: Filter = { field: 'id', op: 'is_not_empty' }

export const countOf = (target: Target): number => ('ids' in target ? target.ids.length : target.expect)

/** As the service takes it for changes. */
export const changeTarget = (target: Target) => ('ids' in target ? { ids: [...target.ids] } : target)

/** As the service takes it for bulk actions. */
export const bulkActionTarget = (target: Target) =>
  'ids' in target ? { company_ids: [...target.ids] } : target

/** Thrown if the number of matching companies is not the expected one. Nothing was changed. */
export class CountChanged extends UserFacingError {
  readonly count: number

  constructor(count: number, expected: number) {
    super(strings.countChanged(count, expected))
    this.count = count
  }
}

/** The same target with the number that the error reports as the expected one. */
export const expecting = (target: Target, error: unknown): Target =>
  'ids' in target || !(error instanceof CountChanged) ? target : { ...target, expect: error.count }

/** @throws CountChanged if a different number of companies matches than expected */
export async function requireExpected({ expect, ...matching }: MatchingTarget): Promise<void> {
  const { total } = (await service.queryCompanies({ body: { ...matching, limit: 0 } })).pagination
  if (total !== expect) throw new CountChanged(total, expect)
}

/**
 * Sends a change of companies.
 * @throws CountChanged if a different number of companies matches than expected
 */
export async function sendExpecting<T>(target: Target, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if ('ids' in target || !(error instanceof ApiError) || error.status !== 409) throw error
    await requireExpected(target)
    throw error
  }
}
