import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { matchCompanies, summarizeErrors } from './company-states.ts'
import type { BulkActionPatch } from './schema.ts'
import type { BulkActionState, Change, ErrorSummary } from './store.ts'

/**
 * Applies an external worker's report. Its counters replace those of the included worker, and stay until it reports
 * others. If it completes an action without ever reporting counters, all companies that have not failed are processed.
 * @returns the changes to the action
 * @throws InvalidInput for counters that cannot be true
 */
export async function applyReport(
  transaction: Db,
  action: BulkActionState,
  patch: BulkActionPatch,
): Promise<Change> {
  const { id, total_companies: total } = action
  const reported = new Set<string>(action.reported_fields)
  for (const field of ['processed_companies', 'failed_companies', 'error_summary'] as const)
    if (patch[field] !== undefined) reported.add(field)
  requirePossibleCounters(patch, total)
  const failed = reported.has('failed_companies')
    ? (patch.failed_companies ?? action.failed_companies)
    : Math.min(action.failed_companies, total - (patch.processed_companies ?? 0))
  const processed = succeeded(action, patch, failed, reported.has('processed_companies'))
  const kept_companies = await matchCompanies(transaction, id, processed, failed)
  return {
    processed_companies: processed,
    failed_companies: failed,
    kept_companies,
    error_summary: await errorSummary(transaction, action, patch, reported),
    waiting_for: patch.waiting_for ?? null,
    reported_fields: [...reported],
  }
}

/** @throws InvalidInput for a counter above the total, or more failures than attempts */
function requirePossibleCounters(
  { processed_companies = 0, failed_companies = 0 }: BulkActionPatch,
  total: number,
): void {
  for (const [name, count] of Object.entries({ processed_companies, failed_companies }))
    if (count > total)
      throw new InvalidInput(`${name} must be at most total_companies, which is ${total}, not ${count}.`)
  if (failed_companies > processed_companies && processed_companies + failed_companies > total)
    throw new InvalidInput(
      `failed_companies must be part of processed_companies, or both together at most total_companies: they are ${processed_companies} and ${failed_companies} of ${total}.`,
    )
}

/** The companies that succeeded. A worker that reports more than the total counts attempts, which include failures. */
function succeeded(
  { total_companies: total, processed_companies: before }: BulkActionState,
  { processed_companies: sent, status }: BulkActionPatch,
  failed: number,
  isReported: boolean,
): number {
  const left = total - failed
  if (!isReported && status === 'completed') return left
  if (sent === undefined || sent < failed) return Math.min(sent ?? before, left)
  return sent > left ? sent - failed : sent
}

/** The reported summary, or else one computed from the companies' rows. */
async function errorSummary(
  transaction: Db,
  { id, error_summary }: BulkActionState,
  patch: BulkActionPatch,
  reported: Set<string>,
): Promise<ErrorSummary> {
  if (patch.error_summary) return patch.error_summary as ErrorSummary
  return reported.has('error_summary') ? error_summary : summarizeErrors(transaction, id)
}
