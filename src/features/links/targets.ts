import { sql } from 'kysely'
import { unknownRecords } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { ABOUT_TYPES, type AboutEntry, type AboutType } from './schema.ts'

interface TargetKind {
  prefix: string
  table: string
  /** The request that creates one. */
  creation: string
}

/** What records can be linked to, in the order in which they are locked. */
const TARGETS: Readonly<Record<AboutType, TargetKind>> = {
  thesis: { prefix: 'th_', table: 'theses', creation: 'POST /api/theses' },
  company: { prefix: 'cmp_', table: 'companies', creation: 'POST /api/companies' },
  deal: { prefix: 'df_', table: 'dealflow', creation: 'POST /api/dealflow' },
  person: { prefix: 'per_', table: 'people', creation: 'POST /api/people' },
}

/** The type of a record by its id; undefined: one that records cannot be linked to. */
const targetType = (id: string): AboutType | undefined =>
  ABOUT_TYPES.find((type) => id.startsWith(TARGETS[type].prefix))

/** People as targets. */
export const peopleEntries = (ids: readonly string[]): AboutEntry[] =>
  ids.map((id) => ({ type: 'person', id }))

/** The targets that exist of these, which stay until the transaction ends. */
export async function keepTargets(transaction: Db, targets: readonly AboutEntry[]): Promise<Set<string>> {
  const existing = new Set<string>()
  for (const type of Object.keys(TARGETS) as AboutType[]) {
    const ids = targets.filter((target) => target.type === type).map(({ id }) => id)
    if (ids.length === 0) continue
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(TARGETS[type].table)} where id = any(${ids}) order by id for key share`.execute(
      transaction,
    )
    for (const { id } of rows) existing.add(id)
  }
  return existing
}

/**
 * Checks what a record is to be about. The targets stay until the transaction ends.
 * @throws InvalidInput that names the entry that is listed twice, or that does not exist
 */
export const requireAbout = (transaction: Db, about: readonly AboutEntry[]): Promise<void> =>
  requireTargets(transaction, about, (index) => `about[${index}].id`)

/**
 * Checks the people who are to take part. They stay until the transaction ends.
 * @throws InvalidInput that names the entry that is listed twice, or that does not exist
 */
export const requireParticipants = (transaction: Db, ids: readonly string[]): Promise<void> =>
  requireTargets(transaction, peopleEntries(ids), (index) => `participants[${index}]`)

async function requireTargets(
  transaction: Db,
  targets: readonly AboutEntry[],
  nameOf: (index: number) => string,
): Promise<void> {
  const seen = new Set<string>()
  for (const [index, { type, id }] of targets.entries()) {
    if (seen.has(id))
      throw new InvalidInput(`${nameOf(index)} must not be listed twice: ${truncate(id, 100)}.`)
    seen.add(id)
    const actual = targetType(id)
    if (actual && actual !== type)
      throw new InvalidInput(
        `${nameOf(index)} must be the id of a ${type}, but ${truncate(id, 100)} is the id of a ${actual}.`,
      )
  }
  const existing = await keepTargets(transaction, targets)
  const index = targets.findIndex(({ id }) => !existing.has(id))
  const missing = targets[index]
  if (missing)
    throw await unknownRecords(
      transaction,
      `${nameOf(index)} must be the id of a ${missing.type}`,
      [missing.id],
      TARGETS[missing.type].creation,
    )
}
