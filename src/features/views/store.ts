import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { requireUnchanged } from '#src/features/activity/index.ts'
import { tagCounts } from '#src/features/companies/index.ts'
import { requireOwner } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type JsonPage, listJson, timeAfter, utc, withinPage } from '#src/platform/database/sql.ts'
import { Conflict, Forbidden } from '#src/platform/errors.ts'
import type { Fields } from '#src/platform/filter/fields.ts'
import type { Filter } from '#src/platform/filter/schema.ts'
import { includesRole, type Role } from '#src/platform/http/security/permissions.ts'
import { idTime, newId } from '#src/platform/ids.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { checkContent } from './check-content.ts'
import { describeMissing, type Existing, namedIn } from './missing.ts'
import { VIEW_RECORDS } from './records.ts'
import {
  MAX_VIEWS_PER_USER,
  type NewView,
  VIEW_READ_ONLY,
  type View,
  type ViewContent,
  type ViewPatch,
  type ViewQuery,
} from './schema.ts'

/** Who looks at views. */
export interface Viewer {
  email: string
  role: Role
}

/** Saved along with the content. Views that were saved by earlier versions lack these fields. */
interface Saved extends ViewContent {
  updated_by_email?: string
  /** The previous owner, until the new one saves it. */
  given_by_email?: string
}

type Row = Omit<View, 'missing' | 'applied' | 'may_change' | 'updated_by_email' | keyof ViewContent> & {
  content: Saved
}

const EMPTY: ViewContent = { filter: null, search: null, sort: [], columns: [], layout: 'table' }

/** Whether someone may see a row of `views`. */
export const isVisible = (viewer: Viewer | null) =>
  sql`(visibility = 'shared' or owner_email = ${viewer?.email ?? null})`

/** Selects views with what the viewer has set for them. */
const select = (viewer: Viewer | null) => sql`
  select views.id, views.entity, name, content, visibility, owner_email,
    coalesce(default_view_id = views.id, false) as is_default, ${utc('created_at')}, ${utc('updated_at')}
  from views left join view_settings
    on user_email = ${viewer?.email ?? null} and view_settings.entity = views.entity`

/** A page of the views that someone may see, in their order. */
export async function listViews(
  db: Db,
  viewer: Viewer | null,
  { entity, ...page }: ViewQuery,
): Promise<JsonPage> {
  const { limit, offset } = pageOf(page)
  const where: RawBuilder<unknown>[] = [isVisible(viewer)]
  if (entity) where.push(sql`views.entity = ${entity}`)
  const views = sql`${select(viewer)} where ${all(where)}
    order by views.entity, array_position(view_ids, views.id) nulls last, views.id
    limit ${limit} offset ${offset}`
  // `applied` repeats nearly all of the content.
  const { rows } = await sql<Row>`${withinPage(views, sql`2 * octet_length(content::text)`)}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::float8 as total from views where ${all(where)}`.execute(db)
  return { records: listJson(await describeViews(db, viewer, rows)), total: counted.rows[0]?.total ?? 0 }
}

/** A view; undefined if there is none, or it is someone else's private one. */
export async function readView(db: Db, viewer: Viewer | null, id: string): Promise<View | undefined> {
  const { rows } = await sql<Row>`
    ${select(viewer)} where views.id = ${id} and ${isVisible(viewer)}`.execute(db)
  const [view] = await describeViews(db, viewer, rows)
  return view
}

/** The views one by one: all of them at once take more memory than their rows. */
async function describeViews(db: Db, viewer: Viewer | null, rows: Row[]): Promise<Iterable<View>> {
  const entities = [...new Set(rows.map(({ entity }) => entity))]
  const fields = new Map<string, Fields>()
  for (const entity of entities) fields.set(entity, await VIEW_RECORDS[entity].readFields(db))
  const existing = await findExisting(
    db,
    rows.map(({ content }) => content.filter),
  )
  return rows.values().map(({ content, ...row }) => {
    const { updated_by_email = row.owner_email, given_by_email: _giver, ...stored } = content
    const saved = { ...EMPTY, ...stored }
    return {
      ...row,
      ...saved,
      updated_by_email,
      may_change: viewer !== null && mayChange(viewer, row),
      ...describeMissing(saved, fields.get(row.entity) as Fields, existing),
    }
  })
}

/** The theses and tags named in filters that exist. */
async function findExisting(db: Db, filters: (Filter | null)[]): Promise<Existing> {
  const { theses, tags } = namedIn(filters)
  const of = async (query: RawBuilder<{ name: string }>, names: string[]) =>
    new Set(names.length === 0 ? [] : (await query.execute(db)).rows.map(({ name }) => name))
  return {
    theses: await of(sql`select id as name from theses where id = any(${theses})`, theses),
    tags: await of(
      sql`select tag as name from ${tagCounts} where tag = any(${tags}) group by tag having sum(n) > 0
        union select tag from people, unnest(tags) tag where tags && ${tags}::text[] and tag = any(${tags})`,
      tags,
    ),
  }
}

const mayChange = ({ email, role }: Viewer, { owner_email }: { owner_email: string }): boolean =>
  owner_email === email || includesRole(role, 'admin')

/** @throws Forbidden for someone else's view */
function requireOwnView(viewer: Viewer, view: View): void {
  if (mayChange(viewer, view)) return
  throw new Forbidden(
    `This view belongs to ${view.owner_email}. Its owner and admins may change it. Save a copy: POST /api/views.`,
  )
}

/**
 * Saves a new view.
 * @throws InvalidInput for invalid content, Conflict if the viewer owns too many views
 */
export async function insertView(db: Db, viewer: Viewer, body: NewView): Promise<View> {
  const { entity, name, visibility = 'private', ...sent } = body
  const content = { ...EMPTY, ...sent }
  await checkContent(db, viewer, entity, content)
  const id = newId('view')
  const time = idTime(id).toISOString()
  const { rows } = await sql`
    insert into views (id, entity, name, owner_email, visibility, content, created_at, updated_at)
    select ${id}, ${entity}, ${name.trim()}, ${viewer.email}, ${visibility}, ${savedBy(viewer, content)}::json,
      ${time}::timestamptz, ${time}::timestamptz
    where ${countOf(viewer.email)} < ${MAX_VIEWS_PER_USER}
    returning id`.execute(db)
  if (rows.length === 0) throw tooManyViews()
  return (await readView(db, viewer, id)) as View
}

/** A view that was handed over counts toward the limit of its previous owner until the new one saves it, so that no one fills a colleague's limit. */
const countOf = (email: string) => sql`
  (select count(*) from views where coalesce(content ->> 'given_by_email', owner_email) = ${email})`

const tooManyViews = () =>
  new Conflict(
    `You own ${MAX_VIEWS_PER_USER} views, which is the limit. Views that you gave away count until their new owner saves them. Delete one first.`,
  )

const savedBy = ({ email }: Viewer, content: ViewContent, given_by_email?: string): string =>
  JSON.stringify({
    ...content,
    updated_by_email: email,
    ...(given_by_email && { given_by_email }),
  } satisfies Saved)

/**
 * Checks that the owner of a view may hand it over. It then counts toward their limit, even if someone handed it to them before.
 * @throws Conflict
 */
async function requireRoomToGive(transaction: Db, { email }: Viewer, id: string): Promise<void> {
  const { rows } = await sql<{ is_full: boolean }>`
    select ${countOf(email)} >= ${MAX_VIEWS_PER_USER} as is_full from views
    where id = ${id} and content ->> 'given_by_email' is not null`.execute(transaction)
  if (rows[0]?.is_full) throw tooManyViews()
}

/** Locks a view that the viewer may change; undefined if there is none. */
async function lockView(
  transaction: Db,
  viewer: Viewer,
  id: string,
  ifMatch: string | undefined,
): Promise<View | undefined> {
  await sql`select from views where id = ${id} for update`.execute(transaction)
  const view = await readView(transaction, viewer, id)
  if (!view) return undefined
  requireOwnView(viewer, view)
  await requireUnchanged(transaction, ifMatch, 'view', view)
  return view
}

/**
 * Changes a view.
 * @returns the view; undefined if there is none
 * @throws Forbidden for someone else's view, PreconditionFailed if it has changed since, InvalidInput for an invalid
 *   filter, sort, search or owner, Conflict if the viewer gives away too many views
 */
export const updateView = (
  db: Db,
  viewer: Viewer,
  id: string,
  body: ViewPatch,
  ifMatch: string,
): Promise<View | undefined> =>
  db.transaction().execute(async (transaction) => {
    const before = await lockView(transaction, viewer, id, ifMatch)
    if (!before) return undefined
    const patch = withoutReadOnly(body, VIEW_READ_ONLY)
    const { name = before.name, visibility = before.visibility, ...others } = patch
    const { owner_email = before.owner_email, ...sent } = others
    // Unchanged content stays valid, even if it uses a deleted field.
    const changed = Object.entries(sent).filter(
      ([part, value]) => !isDeepStrictEqual(value, before[part as keyof ViewContent]),
    )
    await checkContent(transaction, viewer, before.entity, Object.fromEntries(changed))
    if (owner_email !== before.owner_email) await requireOwner(transaction, owner_email)
    // A view that an admin transfers counts for the new owner.
    const isGiven = owner_email !== before.owner_email && before.owner_email === viewer.email
    if (isGiven) await requireRoomToGive(transaction, viewer, id)
    const { filter, search, sort, columns, layout } = { ...before, ...sent }
    const content = { filter, search, sort, columns, layout }
    await sql`
      update views set name = ${name.trim()}, visibility = ${visibility}, owner_email = ${owner_email},
        content = ${savedBy(viewer, content, isGiven ? viewer.email : undefined)}::json, updated_at = ${timeAfter(before.updated_at)}::timestamptz
      where id = ${id}`.execute(transaction)
    const after = await readView(transaction, viewer, id)
    // An admin who makes someone else's view private no longer sees it.
    return after ?? { ...before, name, visibility, owner_email, ...content, updated_by_email: viewer.email }
  })

/**
 * Deletes a view.
 * @returns the view; undefined if there is none
 * @throws Forbidden for someone else's view, PreconditionFailed if it has changed since
 */
export const deleteView = (
  db: Db,
  viewer: Viewer,
  id: string,
  ifMatch: string | undefined,
): Promise<View | undefined> =>
  db.transaction().execute(async (transaction) => {
    const view = await lockView(transaction, viewer, id, ifMatch)
    if (view) await sql`delete from views where id = ${id}`.execute(transaction)
    return view
  })
