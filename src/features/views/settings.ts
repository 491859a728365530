import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidReference } from '#src/platform/errors.ts'
import type { ViewEntity, ViewSettings } from './schema.ts'
import type { Viewer } from './store.ts'

/**
 * Puts the viewer's views in order.
 * @throws InvalidInput for a view that does not exist, of another kind, or that the viewer may not see
 */
export async function orderViews(
  db: Db,
  viewer: Viewer,
  entity: ViewEntity,
  ids: string[],
): Promise<ViewSettings> {
  const view_ids = [...new Set(ids)]
  await requireVisible(db, viewer, entity, 'view_ids must be the ids of views', view_ids)
  return store(db, viewer, entity, sql`view_ids`, sql`${view_ids}::text[]`)
}

/**
 * Chooses the viewer's default view, or none.
 * @throws InvalidInput for a view that does not exist, of another kind, or that the viewer may not see
 */
export async function setDefaultView(
  db: Db,
  viewer: Viewer,
  entity: ViewEntity,
  id: string | null,
): Promise<ViewSettings> {
  await requireVisible(db, viewer, entity, 'view_id must be the id of a view', id === null ? [] : [id])
  return store(db, viewer, entity, sql`default_view_id`, sql`${id}`)
}

async function store(
  db: Db,
  { email }: Viewer,
  entity: ViewEntity,
  column: RawBuilder<unknown>,
  value: RawBuilder<unknown>,
): Promise<ViewSettings> {
  const { rows } = await sql<ViewSettings>`
    insert into view_settings (user_email, entity, ${column}) values (${email}, ${entity}, ${value})
    on conflict (user_email, entity) do update set ${column} = excluded.${column}
    returning entity, default_view_id, view_ids`.execute(db)
  return rows[0] as ViewSettings
}

async function requireVisible(
  db: Db,
  { email }: Viewer,
  entity: ViewEntity,
  expected: string,
  ids: string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from views where id = any(${ids}) and entity = ${entity}
      and (visibility = 'shared' or owner_email = ${email})`.execute(db)
  const visible = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !visible.has(id))
  if (unknown.length > 0)
    throw new InvalidReference(
      `${expected} whose entity is ${entity}`,
      unknown.slice(0, 3),
      'POST /api/views',
    )
}
