import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, withinPage } from '#src/platform/database/sql.ts'
import type { EventKind } from './schema.ts'

/** Reads records of one kind as the API shows them to a viewer, by id. Those that are gone are left out. */
type ReadRecords = (db: Db, viewer: Viewer, ids: string[]) => Promise<Map<string, Json>>

/** How to read the records that events are about. */
export type EventRecords = Readonly<Partial<Record<EventKind, ReadRecords>>>

/**
 * Reads the records of a table.
 * @param fields of a record as its list shows it
 * @param where which records the list shows to a viewer, if not all
 */
export const recordsOf =
  (
    table: string,
    fields: RawBuilder<unknown>,
    where: (viewer: Viewer) => RawBuilder<unknown>[] = () => [],
  ): ReadRecords =>
  async (db, viewer, ids) => {
    const found = all([sql`${sql.ref(`${table}.id`)} = any(${ids})`, ...where(viewer)])
    const records = sql`
      select id, row_to_json(record)::text as record
      from (select ${fields} from ${sql.table(table)} where ${found}) record`
    const { rows } = await sql<{
      id: string
      record: Json
    }>`${withinPage(records, sql`octet_length(record)`)}`.execute(db)
    return new Map(rows.map(({ id, record }) => [id, record]))
  }
