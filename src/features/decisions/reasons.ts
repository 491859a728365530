import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { requireUnchanged } from '#src/features/activity/index.ts'
import { foldLabel } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter, utc } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { shown } from '#src/platform/schema/describe-error.ts'
import type { ReasonConfig, ReasonConfigBody } from './reasons-schema.ts'

const fields = sql`reasons, ${utc('updated_at')}, updated_by`

export async function readReasonConfig(db: Db): Promise<ReasonConfig> {
  const { rows } = await sql<ReasonConfig>`select ${fields} from decision_reason_config`.execute(db)
  return rows[0] as ReasonConfig
}

/**
 * Replaces the configured reasons. Decisions keep theirs.
 * @param ifMatch the If-Match header; one of its times must be the time of the last change
 * @throws InvalidInput for two reasons with the same key or label, PreconditionFailed if the reasons have changed since
 */
export async function replaceReasonConfig(
  db: Db,
  user: { email: string } | null,
  { reasons }: ReasonConfigBody,
  ifMatch?: string,
): Promise<ReasonConfig> {
  requireDistinct(reasons)
  const stored = reasons.map(({ key, label }) => ({ key, label: label.trim() }))
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<ReasonConfig>`
      select ${fields} from decision_reason_config for update`.execute(transaction)
    const before = rows[0] as ReasonConfig
    await requireUnchanged(transaction, ifMatch, 'list of reasons', { id: 'reasons', ...before })
    if (isDeepStrictEqual(stored, before.reasons)) return before
    await sql`
      update decision_reason_config set reasons = ${JSON.stringify(stored)}::json,
        updated_at = ${timeAfter(before.updated_at)}::timestamptz, updated_by = ${user?.email ?? null}`.execute(
      transaction,
    )
    return readReasonConfig(transaction)
  })
}

/** @throws InvalidInput if two reasons have the same key, or labels that differ at most in case and outer spaces */
function requireDistinct(reasons: ReasonConfigBody['reasons']): void {
  for (const [field, values] of [
    ['key', reasons.map(({ key }) => key)],
    ['label', reasons.map(({ label }) => foldLabel(label))],
  ] as const)
    for (const [index, value] of values.entries()) {
      const first = values.indexOf(value)
      if (first < index)
        throw new InvalidInput(
          `reasons[${index}].${field} must be unique: reasons[${first}] already has the ${field} ${shown(reasons[first]?.[field])}.`,
        )
    }
}

/** The reasons that a decision can be filtered by: the configured ones, then others that decisions still have. */
export async function readReasonOptions(db: Db): Promise<{ id: string; label: string }[]> {
  const { rows } = await sql<{ id: string; label: string }>`
    with configured as (
      select reason ->> 'key' as id, reason ->> 'label' as label, place
      from decision_reason_config, json_array_elements(reasons) with ordinality as reasons(reason, place))
    select id, label from (
      select * from configured
      union all
      select distinct reason, upper(left(reason, 1)) || replace(substr(reason, 2), '_', ' '), null::bigint
      from decisions, unnest(reasons) reason where reason not in (select id from configured)
    ) options order by place nulls last, id collate "C"`.execute(db)
  return rows
}

/**
 * Checks the reasons of a decision.
 * @param kept those that it already has, which may have been removed from the configured ones since
 * @returns each of them once
 * @throws InvalidInput that names the first one that is not allowed
 */
export async function requireReasons(
  db: Db,
  reasons: readonly string[],
  kept: readonly string[] = [],
): Promise<string[]> {
  if (reasons.every((reason) => kept.includes(reason))) return [...new Set(reasons)]
  const allowed = (await readReasonConfig(db)).reasons.map(({ key }) => key)
  const index = reasons.findIndex((reason) => !allowed.includes(reason) && !kept.includes(reason))
  if (index >= 0)
    throw new InvalidInput(
      `reasons[${index}] must be one of ${allowed.join(', ')}, not ${shown(reasons[index])}. PUT /api/decisions/reasons adds others.`,
    )
  return [...new Set(reasons)]
}
