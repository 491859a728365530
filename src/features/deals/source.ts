import { type RawBuilder, sql } from 'kysely'
import { keepTargets } from '#src/features/links/index.ts'
import { type Obstacle, type PreviousValues, unknownRecords } from '#src/features/trash/index.ts'
import { requireUsers } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { optionsOf } from '#src/platform/filter/fields.ts'
import { normalizeEmail, normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { truncate } from '#src/platform/truncate.ts'
import { SOURCE_CHANNELS, type Source, type SourceType } from './source-schema.ts'

const CHANNELS: readonly string[] = SOURCE_CHANNELS

/** The labels of channels by id, as SQL. */
const channelName = (id: RawBuilder<unknown>) =>
  sql`case ${id} ${sql.join(
    optionsOf(CHANNELS).map((option) => sql`when ${sql.lit(option.id)} then ${sql.lit(option.label)}`),
    sql` `,
  )} end`

/** The present name of a source, null if it is in the trash or gone. A user without a name has the address. */
export const sourceNameOf = (type: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (case ${type}
    when 'person' then (select people.name from people where people.id = ${id})
    when 'company' then (select companies.name from companies where companies.id = ${id})
    when 'user' then (select coalesce(users.name, users.email) from users where users.email = ${id})
    when 'channel' then ${channelName(id)} end)`

/** Gives deals of the past the present names of their sources. */
export async function nameSources(
  db: Db,
  deals: readonly (Source & { id: string; source_name: string | null })[],
): Promise<void> {
  if (deals.length === 0) return
  const columns = { id: 'text', source_type: 'text', source_id: 'text' } as const
  const sources = deals.map(({ id, source_type, source_id }) => ({ id, source_type, source_id }))
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id, ${sourceNameOf(sql`source_type`, sql`source_id`)} as name
    from ${rowsFrom('source', columns, sources)}`.execute(db)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  for (const deal of deals) deal.source_name = names.get(deal.id) ?? null
}

/** What each type needs as its id. */
const EXPECTED: Record<SourceType, string> = {
  person: 'the id of a person',
  company: 'the id of a company',
  user: 'the email address of a user',
  channel: `one of ${SOURCE_CHANNELS.join(', ')}`,
}

/**
 * The source after a change; null clears it.
 * @param before the present source; the other argument has the fields of the request
 * @throws InvalidInput if one of the two fields would be missing
 */
export function changedSource(before: Source, { source_type, source_id }: Partial<Source>): Partial<Source> {
  const isIdKept = source_id === undefined || source_id === before.source_id
  if (source_type === null && (isIdKept || source_id === null)) return { source_type: null, source_id: null }
  const type = source_type === undefined ? before.source_type : source_type
  if (type === null) {
    if (source_id === undefined || source_id === null) return {}
    throw new InvalidInput(
      'source_type is missing: source_id needs one of person, company, user, channel with it.',
    )
  }
  const isTypeKept = type === before.source_type
  if (source_id === null || (source_id === undefined && !isTypeKept))
    throw new InvalidInput(
      `source_id is missing: with the source_type "${type}", it must be ${EXPECTED[type]}. ` +
        'A source_type of null clears both.',
    )
  return source_id === undefined ? {} : { source_type: type, source_id: normalizeId(type, source_id) }
}

const normalizeId = (type: SourceType, id: string): string =>
  type === 'channel' ? normalizeWord(id) : type === 'user' ? normalizeEmail(id) : id.trim()

/**
 * Checks that the source exists. It stays until the transaction ends.
 * @throws InvalidInput if it does not, or is in the trash or merged
 */
export async function requireSource(transaction: Db, { source_type, source_id }: Source): Promise<void> {
  if (source_type === null || source_id === null) return
  if (source_type === 'user') return requireUsers(transaction, [['source_id', source_id]])
  const expected = `source_id must be ${EXPECTED[source_type]}, because source_type is ${source_type}`
  if (source_type === 'channel') {
    if (CHANNELS.includes(source_id)) return
    throw new InvalidInput(`${expected}, not "${truncate(source_id, 100)}".`)
  }
  if ((await keepSources(transaction, [{ source_type, source_id }])).has(source_id)) return
  const creation = source_type === 'person' ? 'POST /api/people' : 'POST /api/companies'
  throw await unknownRecords(transaction, expected, [source_id], creation)
}

interface SetSource {
  source_type: SourceType
  source_id: string
}

/** People and companies that brought these deals stay until the transaction ends. A merge that has begun ends first. */
export async function keepSourcesOf(transaction: Db, deals: readonly string[]): Promise<void> {
  const { rows } = await sql<SetSource>`
    select source_type, source_id from dealflow where id = any(${[...deals]}) and source_type is not null`.execute(
    transaction,
  )
  await keepSources(transaction, rows)
}

const isSet = (source: Source): source is SetSource =>
  source.source_type !== null && source.source_id !== null

/** The ids of those that exist. People and companies stay until the transaction ends. */
async function keepSources(transaction: Db, sources: readonly SetSource[]): Promise<Set<string>> {
  const records = sources.flatMap(({ source_type: type, source_id: id }) =>
    type === 'person' || type === 'company' ? [{ type, id }] : [],
  )
  const users = sources.filter(({ source_type }) => source_type === 'user').map(({ source_id }) => source_id)
  const existing = new Set([...CHANNELS, ...(await keepTargets(transaction, records))])
  if (users.length === 0) return existing
  const { rows } = await sql<{ email: string }>`
    select email from users where email = any(${users})`.execute(transaction)
  return new Set([...existing, ...rows.map(({ email }) => email)])
}

function isIdOf({ source_type, source_id }: SetSource): boolean {
  if (source_id.includes('@')) return source_type === 'user'
  if (source_id.startsWith('per_')) return source_type === 'person'
  return source_type === (source_id.startsWith('cmp_') ? 'company' : 'channel')
}

/** The previous sources that are gone, and those of which one field has changed since. */
export async function findSourceObstacles(transaction: Db, previous: PreviousValues): Promise<Obstacle[]> {
  const changed = [...previous].filter(([, values]) => 'source_type' in values || 'source_id' in values)
  if (changed.length === 0) return []
  const { rows } = await sql<Source & { id: string }>`
    select id, source_type, source_id from dealflow where id = any(${changed.map(([id]) => id)})`.execute(
    transaction,
  )
  const sources = rows.map(({ id, ...present }) => {
    const { source_type = present.source_type, source_id = present.source_id } = (previous.get(id) ??
      {}) as Partial<Source>
    return { id, source: { source_type, source_id } }
  })
  const existing = await keepSources(transaction, sources.map(({ source }) => source).filter(isSet))
  return sources.flatMap(({ id, source }) => {
    const reason = obstacleTo(source, existing)
    const fields = ['source_type', 'source_id'].filter((field) => field in (previous.get(id) ?? {}))
    return reason ? fields.map((field) => ({ id, field, reason })) : []
  })
}

function obstacleTo(source: Source, existing: ReadonlySet<string>): Obstacle['reason'] | undefined {
  if (isSet(source)) {
    if (!isIdOf(source)) return 'changed_since'
    return existing.has(source.source_id) ? undefined : 'record_missing'
  }
  return source.source_type === source.source_id ? undefined : 'changed_since'
}
