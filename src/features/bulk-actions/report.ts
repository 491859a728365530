import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { matchCompanies, summarizeErrors } from './company-states.ts'
import type { BulkActionPatch } from './schema.ts'
import type { BulkActionState, Change, ErrorSummary } from './store.ts'

/**
 * Applies an external worker's report. Its counters replace those of the included worker, and stay until it reports
 * others. If it completes an action without ever reporting counters, all companies that have not failed are processed.
 * @returns the changes to the action
 * @throws InvalidInput if the counters, with those reported before, exceed the total
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
  let processed = patch.processed_companies ?? action.processed_companies
  let failed = patch.failed_companies ?? action.failed_companies
  if (!reported.has('failed_companies')) failed = Math.min(failed, Math.max(0, total - processed))
  if (!reported.has('processed_companies')) {
    const left = Math.max(0, total - failed)
    processed = patch.status === 'completed' ? left : Math.min(processed, left)
  }
  if (processed + failed > total)
    throw new InvalidInput(
      `processed_companies and failed_companies together must not exceed total_companies: ${processed} + ${failed} is more than ${total}.`,
    )
  await matchCompanies(transaction, id, processed, failed)
  return {
    processed_companies: processed,
    failed_companies: failed,
    error_summary: await errorSummary(transaction, action, patch, reported),
    waiting_for: patch.waiting_for ?? null,
    reported_fields: [...reported],
  }
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
