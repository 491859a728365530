import { sql } from 'kysely'
import { changesOf, recordAction } from '#src/features/activity/index.ts'
import type { Score } from '#src/features/companies/index.ts'
import {
  lockCompanies,
  readCompanies,
  type StoredCompany,
  updateCompanies,
} from '#src/features/companies/index.ts'
import { readThesisTexts } from '#src/features/theses/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { toCompanyRecord } from './company-record.ts'
import { recordScoreChanges } from './company-states.ts'
import { type BulkActionState, ledgerAction } from './store.ts'
import { BUILTIN_MODEL, type Work } from './work-schema.ts'

/** The input for scoring companies: each against its own thesis, else the action's, else none. */
export async function readScoringWork(
  db: Db,
  { thesis_id, force, existing }: BulkActionState,
  company_ids: string[],
): Promise<Omit<NonNullable<Work['scoring']>, 'model'>> {
  const entered = existing === 'keep' ? await readEntered(db, company_ids) : new Set()
  const companies = (await readCompanies(db, company_ids)).map((company) => ({
    company_id: company.id,
    record: toCompanyRecord(company),
    thesis_id: company.thesis_id ?? thesis_id,
    scored: force ? null : previousScore(company),
    kept: entered.has(company.id),
  }))
  const theses = [...new Set(companies.flatMap((company) => company.thesis_id ?? []))]
  return { theses: await readThesisTexts(db, theses), companies }
}

/** How a model scored the company; null if there is no score, or a person has changed it. */
function previousScore({ llm_score_overall, llm_score_details }: StoredCompany) {
  const { overall, model, prompt_version, input_hash } = (llm_score_details ?? {}) as Partial<Score>
  const isScored =
    llm_score_overall !== null &&
    overall === llm_score_overall &&
    typeof model === 'string' &&
    typeof prompt_version === 'number' &&
    typeof input_hash === 'string'
  return isScored ? { model, prompt_version, input_hash } : null
}

/** Those of the companies whose score a person entered or imported: no bulk action of this service wrote it as it is. */
export async function readEntered(db: Db, company_ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from companies where id = any(${company_ids}) and llm_score_overall is not null and not exists (
      select from bulk_actions where bulk_actions.id = llm_score_details ->> 'bulk_action_id'
        and (llm_score_details -> 'overall')::text = llm_score_overall::text)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether the companies keep scores that people entered. */
const keepsEntered = ({ existing }: BulkActionState, model: string | undefined): boolean =>
  existing === 'keep' || model === BUILTIN_MODEL

/**
 * Writes scores to the companies and records them in the activity log, unless a person has entered one and the action keeps
 * it, and records what has changed.
 * @param done the processed companies, also those without a score
 */
export async function storeScores(
  transaction: Db,
  action: BulkActionState,
  done: string[],
  scores: Map<string, Score>,
): Promise<void> {
  if (done.length === 0) return
  const companies = await lockCompanies(transaction, sql`companies.id = any(${done})`)
  const entered = await readEntered(transaction, done)
  const changes = companies.map((company) => {
    const score = scores.get(company.id)
    return {
      company,
      company_id: company.id,
      previous_score: company.llm_score_overall,
      score: score?.overall ?? null,
      kept: keepsEntered(action, score?.model) && entered.has(company.id),
    }
  })
  await recordScoreChanges(transaction, action.id, changes)
  const replaced = changes.flatMap(({ company, kept }) => (kept || !scores.has(company.id) ? [] : [company]))
  if (replaced.length > 0) await writeScores(transaction, action, replaced, scores)
}

async function writeScores(
  transaction: Db,
  action: BulkActionState,
  companies: StoredCompany[],
  scores: Map<string, Score>,
): Promise<void> {
  const scored = companies.map((company) => {
    const scored_at = timeAfter(company.updated_at)
    const details = scores.get(company.id) as Score
    return {
      before: company,
      after: {
        ...company,
        llm_score_overall: details.overall,
        llm_score_details: { ...details, scored_at, bulk_action_id: action.id },
        updated_at: scored_at,
      },
      thesis_id: details.thesis?.id ?? null,
      model: details.model,
    }
  })
  await updateCompanies(scored.map(({ after }) => after)).execute(transaction)
  await recordAction(
    transaction,
    ledgerAction(action),
    scored.map(({ before, after, thesis_id, model }) => ({
      activity_type: 'company_scored',
      entity_type: 'company',
      entity_id: before.id,
      company_id: before.id,
      metadata: {
        score: after.llm_score_overall,
        previous_score: before.llm_score_overall,
        thesis_id,
        model,
        bulk_action_id: action.id,
      },
      changes: changesOf(before, after, ['llm_score_overall', 'llm_score_details']),
      timestamp: after.updated_at,
    })),
  )
}
