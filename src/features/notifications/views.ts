import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type EventKind, isOfThisServer, isSince } from '#src/features/events/index.ts'
import type { FilterCallers } from '#src/features/users/index.ts'
import { listNewRecords, readView } from '#src/features/views/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { isDatabaseDown } from '#src/platform/database/errors.ts'
import { snapshot } from '#src/platform/database/snapshot.ts'
import type { Role } from '#src/platform/http/security/permissions.ts'
import { newId } from '#src/platform/ids.ts'

/** The kinds of records that views show. */
const KINDS: readonly EventKind[] = ['company', 'deal', 'thesis', 'person']
/** Views that nobody has looked at for longer are not looked through. */
const MAX_LOOK_DAYS = 30

interface ViewWatch {
  db: Db
  log: Logger
  filterCaller: FilterCallers
}

interface Look {
  view_id: string
  entity: string
  user_email: string
  role: Role
  dedupe: string
}

/**
 * Tells users of new records in their own views, once for each time that they have looked. Only views of the kinds of
 * records that have changed since the last call are looked through: each costs as much as showing it.
 */
export async function notifyOfViews(parts: ViewWatch, stopped: AbortSignal): Promise<void> {
  const { db, log } = parts
  const { rows } = await sql<{ position: string; now: string }>`
    select position, ${snapshot} as now from event_consumers where name = 'views'`.execute(db)
  const [consumer] = rows
  if (!consumer) return
  const kinds = await changedKinds(db, consumer.position)
  if (kinds.length === 0) return
  for (const look of await readLooks(db, kinds)) {
    if (stopped.aborted) return
    // A filter may name what was deleted.
    await notifyOfView(parts, look).catch((error) => {
      if (isDatabaseDown(error)) throw error
      log.debug({ err: error, view: look.view_id }, 'a view could not be looked through')
    })
  }
  await sql`
    update event_consumers set position = ${consumer.now}
    where name = 'views' and position = ${consumer.position}`.execute(db)
}

/** A position of another server, whose database was restored here, counts as changed. */
async function changedKinds(db: Db, position: string): Promise<string[]> {
  const { rows } = await sql<{ isOwn: boolean; kinds: string[] }>`
    select ${isOfThisServer(position)} as "isOwn",
      array(select distinct kind from events where ${isSince(position, KINDS)}) as kinds`.execute(db)
  return rows[0]?.isOwn ? rows[0].kinds : [...KINDS]
}

/** The last look of each user at each of their own views, unless they were notified since. */
async function readLooks(db: Db, kinds: readonly string[]): Promise<Look[]> {
  const { rows } = await sql<Look>`
    select * from (
      select view_id, views.entity, user_email, role,
        'view_has_new:' || view_id || ':' || to_char(seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') as dedupe
      from view_looks join views on views.id = view_id and owner_email = user_email
        join users on users.email = user_email collate "default"
      where disabled_at is null and views.entity = any(${[...kinds]})
        and seen_at > now() - make_interval(days => ${MAX_LOOK_DAYS})) looks
    where not exists (select from notifications
      where notifications.user_email = looks.user_email and notifications.dedupe = looks.dedupe)
    order by user_email, view_id`.execute(db)
  return rows
}

async function notifyOfView({ db, filterCaller }: ViewWatch, look: Look): Promise<void> {
  const { view_id, entity, user_email: email, role, dedupe } = look
  const view = await readView(db, { email, role }, view_id)
  if (!view) return
  const { ids, total } = await listNewRecords(db, view, filterCaller({ email }), { limit: 0, offset: 0 })
  const others = await countOfOthers(db, ids, email)
  if (others === 0) return
  const count = total > ids.length ? total : others
  await sql`
    insert into notifications (id, user_email, kind, at, subject_type, subject_id, count, details, dedupe)
    values (${newId('ntf')}, ${email}, 'view_has_new', date_trunc('milliseconds', clock_timestamp()), 'view', ${view_id},
      ${count}, ${JSON.stringify({ entity })}::jsonb, ${dedupe})
    on conflict do nothing`.execute(db)
}

/** Those of the records that the user was not the last to change: nobody is notified of their own changes. */
async function countOfOthers(db: Db, ids: readonly string[], email: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from unnest(${[...ids]}::text[]) as record(id)
    where (select user_email from activity where entity_id = record.id order by activity.id desc limit 1)
      is distinct from ${email}`.execute(db)
  return rows[0]?.count ?? 0
}
