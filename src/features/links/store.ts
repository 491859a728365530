import { type RawBuilder, sql } from 'kysely'
import { namedLinks, targetName } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { AboutEntry, AboutType } from './schema.ts'
import type { Relation } from './table.ts'

/** A link as the ledger has it. */
export interface Link {
  type: AboutType
  position: number
}

/** The links of a record by their names in the ledger: `about.<id>` and `participants.<id>`. Those to the trash too. */
export type Links = Record<string, Link>

/** New links by their names in the ledger; null removes one. */
export type LinkPatch = Record<string, Link | null>

export const linkName = (relation: Relation, target_id: string): string => `${relation}.${target_id}`

/** The relation and the target of a link, by its name in the ledger; undefined: the name is that of another field. */
export function linkOf(name: string): { relation: Relation; target_id: string } | undefined {
  const [, relation, target_id] = /^(about|participants)\.(.+)$/s.exec(name) ?? []
  return target_id === undefined ? undefined : { relation: relation as Relation, target_id }
}

/** The records that links of one relation lead to, in order. */
export const targetsIn = (links: Record<string, unknown>, relation: Relation): (Link & { id: string })[] =>
  Object.entries(links)
    .flatMap(([name, value]) => {
      const link = linkOf(name)
      return link?.relation === relation && value ? [{ id: link.target_id, ...(value as Link) }] : []
    })
    .sort((one, other) => one.position - other.position)

/** The people who took part, as JSON objects with their ids and names. Those in the trash are left out. */
export const participantsOf = (record: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce((
  select json_agg(json_build_object('id', target_id, 'name', name) order by position, target_id)
  from ${namedLinks('participants', record)}), '[]')`

/** The query for the ids of the records that are about one of these, or in which one of these people took part. */
export const recordsLinkedTo = (
  relations: readonly Relation[],
  ids: readonly string[],
): RawBuilder<unknown> => sql`
  select record_id from links where target_id = any(${ids}::text[])
    and relation in (${sql.join(relations.map((relation) => sql.lit(relation)))})
    and not exists (select from trash where trash.id = target_id)`

/** Whether a record has a link that is not to the trash. */
export const hasLinks = (
  relation: Relation,
  record: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(exists (
  select from links where record_id = ${record} and relation = ${sql.lit(relation)}
    and not exists (select from trash where trash.id = target_id)))`

/** Lists leave out a record when everything it is about is in the trash. */
export const isListed = (record: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(not exists (select from unlisted_records where unlisted_records.id = ${record}))`

/** What the ids of records with links begin with. */
export type LinkedPrefix = 'note' | 'tsk' | 'file'

/** The ids of the records of one kind with a link to one of these, also of those in the trash. */
export async function readLinkedRecords(
  db: Db,
  prefix: LinkedPrefix,
  target_ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct record_id as id from links
    where target_id = any(${target_ids}) and starts_with(record_id, ${`${prefix}_`}) order by record_id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The links of each record, by its id. */
export async function readLinks(db: Db, record_ids: readonly string[]): Promise<Map<string, Links>> {
  const { rows } = await sql<{
    record_id: string
    relation: Relation
    target_id: string
    type: AboutType
    position: number
  }>`
    select record_id, relation, target_id, target_type as type, position from links
    where record_id = any(${record_ids}) order by record_id, relation, position, target_id`.execute(db)
  const byRecord = new Map<string, Links>(record_ids.map((id) => [id, {}]))
  for (const { record_id, relation, target_id, type, position } of rows)
    (byRecord.get(record_id) as Links)[linkName(relation, target_id)] = { type, position }
  return byRecord
}

/** The names of records, by id. Those in the trash are missing. */
export async function readNames(db: Db, targets: readonly AboutEntry[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select target_id as id, name from (
      select target_id, ${targetName} as name
      from ${rowsFrom(
        'target',
        { target_type: 'text', target_id: 'text' },
        targets.map(({ type, id }) => ({ target_type: type, target_id: id })),
      )}) named
    where name is not null`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The new links of a record. */
export interface LinkChange {
  record_id: string
  links: LinkPatch
}

const KEY = { record_id: 'text', relation: 'text', target_id: 'text' } as const

const rowsOf = (changes: readonly LinkChange[]) =>
  changes.flatMap(({ record_id, links }) =>
    Object.entries(links).flatMap(([name, link]) => {
      const ends = linkOf(name)
      return ends ? [{ record_id, ...ends, link }] : []
    }),
  )

/** Replaces links, or removes them. */
export async function writeLinks(transaction: Db, changes: readonly LinkChange[]): Promise<void> {
  const rows = rowsOf(changes)
  if (rows.length === 0) return
  await sql`
    delete from links using ${rowsFrom('changed', KEY, rows)} where links.record_id = changed.record_id
      and links.relation = changed.relation and links.target_id = changed.target_id`.execute(transaction)
  await insertLinks(transaction, changes)
}

/** Stores the links of new records. */
export async function insertLinks(transaction: Db, changes: readonly LinkChange[]): Promise<void> {
  const rows = rowsOf(changes).flatMap(({ link, ...ends }) =>
    link ? [{ ...ends, target_type: link.type, position: link.position }] : [],
  )
  if (rows.length === 0) return
  const columns = { ...KEY, target_type: 'text', position: 'int' } as const
  await sql`
    insert into links (record_id, relation, target_id, target_type, position)
    select * from ${rowsFrom('link', columns, rows)}`.execute(transaction)
}

/** Removes the links from and to purged records. */
export async function removeLinks(transaction: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from links where record_id = any(${ids}) or target_id = any(${ids})`.execute(transaction)
}
