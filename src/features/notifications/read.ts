import { type RawBuilder, sql } from 'kysely'
import { aboutOf } from '#src/features/activity/index.ts'
import { readStageOptions } from '#src/features/deals/index.ts'
import { isListed } from '#src/features/links/index.ts'
import { canSee } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, isOneOf, utc } from '#src/platform/database/sql.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { type Notification, type NotificationKind, type NotificationQuery, SUBJECT_TYPES } from './schema.ts'
import { sentence } from './texts.ts'

/** Whether a row of `notifications` is read or done neither. */
const isUnread = sql`read_at is null and done_at is null`

const id = sql`notifications.subject_id`
/** Replies are about what their parents are about. */
const noteOrParent = sql`coalesce((select parent_id from notes where notes.id = ${id}), ${id})`

/** Whether the subject exists outside the trash, by its type. */
const EXISTS: Record<Notification['subject']['type'], RawBuilder<unknown>> = {
  note: sql`exists (select from notes where notes.id = ${id}) and ${isListed(noteOrParent)}`,
  decision: sql`exists (select from decisions where decisions.id = ${id})`,
  // Nobody needs to be reminded of what is done.
  task: sql`exists (select from tasks where tasks.id = ${id}
    and (done_at is null or notifications.kind not in ('task_due', 'task_overdue')))`,
  file: sql`exists (select from files where files.id = ${id}) and ${isListed(id)}`,
  deal: sql`exists (select from dealflow where dealflow.id = ${id})`,
  company: sql`exists (select from companies where companies.id = ${id})`,
  person: sql`exists (select from people where people.id = ${id})`,
  thesis: sql`exists (select from theses where theses.id = ${id})`,
  view: sql`exists (select from views where views.id = ${id}
    and (visibility = 'shared' or owner_email = notifications.user_email))`,
  import: sql`exists (select from imports where imports.id = ${id})`,
  bulk_action: sql`exists (select from bulk_actions where bulk_actions.id = ${id})`,
}

const companyName = (company: RawBuilder<unknown>) =>
  sql`(select name from companies where companies.id = ${company})`
const companyOf = (table: 'decisions' | 'dealflow') =>
  sql`(select company_id from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${id})`

/** The name of the subject. That of a private note is text of the note. */
const NAMES: Record<Notification['subject']['type'], RawBuilder<unknown>> = {
  note: sql`(select note_name(title, body) from notes where notes.id = ${id} and visibility = 'team')`,
  decision: companyName(companyOf('decisions')),
  task: sql`(select title from tasks where tasks.id = ${id})`,
  file: sql`(select name from files where files.id = ${id} and visibility = 'team')`,
  deal: companyName(companyOf('dealflow')),
  company: companyName(id),
  person: sql`(select name from people where people.id = ${id})`,
  thesis: sql`(select title from theses where theses.id = ${id})`,
  view: sql`(select name from views where views.id = ${id})`,
  import: sql`(select file_name from imports where imports.id = ${id})`,
  bulk_action: sql`null::text`,
}

const bySubject = (values: Record<Notification['subject']['type'], RawBuilder<unknown>>) =>
  sql`case subject_type ${sql.join(
    SUBJECT_TYPES.map((type) => sql`when ${sql.lit(type)} then ${values[type]}`),
    sql` `,
  )} end`

/** The notifications of a user that are shown: of records that the user may see, and that are not in the trash. */
const shownTo = (email: string): RawBuilder<unknown>[] => [
  sql`notifications.user_email = ${email}`,
  canSee({ email }, id),
  sql`(${bySubject(EXISTS)})`,
]

const isItself = sql`subject_type in ('company', 'deal', 'person', 'thesis')`

const fields = sql`notifications.id, kind, ${utc('at')}, ${utc('read_at')}, ${utc('done_at')}, actor_email,
  (select name from users where users.email = actor_email collate "default") as actor,
  (select name from users where users.email = details ->> 'previous_assignee') as previous_name,
  subject_type, subject_id, ${bySubject(NAMES)} as name, action_id, count, details,
  case when subject_type in ('note', 'task', 'file') then ${aboutOf(noteOrParent)}
    when subject_type = 'decision' then json_build_array(json_build_object('type', 'company', 'id', ${companyOf('decisions')},
      'name', ${NAMES.decision})) end as about,
  ${isItself} as "isItself", ${companyOf('decisions')} as company_id`

type Row = Omit<Notification, 'about' | 'subject' | 'text'> & {
  actor: string | null
  previous_name: string | null
  subject_type: Notification['subject']['type']
  subject_id: string
  name: string | null
  about: Notification['about'] | null
  isItself: boolean
  company_id: string | null
}

async function select(db: Db, where: RawBuilder<unknown>[], limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${fields} from notifications where ${all(where)}
    order by notifications.at desc, notifications.id desc limit ${limit}`.execute(db)
  return rows
}

/** The notifications with their sentences. */
async function tell(db: Db, rows: readonly Row[]): Promise<Notification[]> {
  const hasStages = rows.some(({ kind }) => kind === 'deal_moved')
  const stages = new Map(
    (hasStages ? await readStageOptions(db) : []).map(({ id, label }) => [id, label] as const),
  )
  return rows.map(
    ({ actor, previous_name, subject_type: type, subject_id, name, isItself, company_id: _, ...row }) => {
      const subject = { type, id: subject_id, name }
      const about =
        isItself && name ? [{ ...subject, name } as Notification['about'][number]] : (row.about ?? [])
      const told = {
        ...{ kind: row.kind, count: row.count, subject: name, actor: actor ?? row.actor_email },
        // A deal has the name of its company.
        about: [...new Set(about.map((entry) => entry.name))],
        details: previous_name ? { ...row.details, previous_name } : row.details,
      }
      return { ...row, about, subject, text: sentence(told, stages) }
    },
  )
}

/**
 * A page of a user's notifications, newest first.
 * @returns the cursor of the next page, or null, and how many are unread
 * @throws InvalidInput for a `before` that no page has returned
 */
export async function listNotifications(
  db: Db,
  email: string,
  { unread, done = false, kind, limit = 50, before }: NotificationQuery,
): Promise<{ data: Notification[]; next: string | null; unread: number }> {
  const where = [...shownTo(email), done ? sql`done_at is not null` : sql`done_at is null`]
  if (unread !== undefined) where.push(unread ? sql`read_at is null` : sql`read_at is not null`)
  if (kind) where.push(isOneOf('kind', kind))
  if (before !== undefined) {
    const { at, id: last } = readCursor(before)
    where.push(sql`(notifications.at, notifications.id) < (${at}::timestamptz, ${last})`)
  }
  const rows = await select(db, where, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: await tell(db, page),
    next: rows.length > limit && last ? writeCursor(last) : null,
    unread: await countUnread(db, email),
  }
}

/** How many notifications a user has neither read nor done. */
export async function countUnread(db: Db, email: string): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from notifications where ${all([isUnread, ...shownTo(email)])}`.execute(db)
  return rows[0]?.unread ?? 0
}

/** A notification for mail. */
export interface NotificationText {
  kind: NotificationKind
  text: string
  at: string
  /** The address in the app, such as `/companies/cmp_…`. */
  path: string
}

/** The texts of those of a user's notifications that are still shown, by id. */
export async function readNotificationTexts(
  db: Db,
  viewerEmail: string,
  ids: readonly string[],
): Promise<Map<string, NotificationText>> {
  const rows = await select(
    db,
    [...shownTo(viewerEmail), sql`notifications.id = any(${[...ids]})`],
    ids.length,
  )
  const told = await tell(db, rows)
  return new Map(
    told.map(({ id, kind, text, at }, index) => [id, { kind, text, at, path: pathOf(rows[index] as Row) }]),
  )
}

/** The screens of the kinds of records that have one of their own. */
const SCREENS: Partial<Record<Notification['subject']['type'], string>> = {
  company: '/companies',
  deal: '/deals',
  person: '/people',
  thesis: '/theses',
  note: '/notes',
  file: '/files',
  bulk_action: '/bulk-actions',
}

/** Several records of one action are on its page. */
function pathOf({ subject_type, subject_id, count, company_id, action_id, details }: Row): string {
  if (subject_type === 'view') return `${LISTS[String(details.entity)]}?view=${subject_id}`
  if (subject_type === 'import') return `${LISTS[String(details.type)] ?? LISTS.company}/import`
  if (subject_type === 'task') return count > 1 ? '/tasks' : `/tasks?task=${subject_id}`
  if (count > 1) return `/activity/actions/${action_id}`
  if (subject_type === 'decision') return `/companies/${company_id}`
  return `${SCREENS[subject_type]}/${subject_id}`
}

/** The screens of lists. Notes are imported on that of companies. */
const LISTS: Record<string, string> = {
  company: '/companies',
  deal: '/pipeline',
  person: '/people',
  thesis: '/theses',
}
