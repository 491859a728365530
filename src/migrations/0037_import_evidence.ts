import { type Kysely, sql } from 'kysely'

/**
 * The import finds companies by name and by website: the keys are expressions, so that no row has to be written again.
 * The name key is coarser than that of the import, which compares what it finds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function company_name_key(value text) returns text language sql immutable strict parallel safe
    return left(translate(fold_text(value), ${sql.lit(` \t\n\r.,;:()/\\_-–—'’‘\`´"“”„`)}, ''), 200)`.execute(
    db,
  )
  await sql`
    create function website_host(value text) returns text language sql immutable strict parallel safe
    return left(substring(lower(value) from '^[a-z]+://(?:www[.])?([^/:?#]+)'), 200)`.execute(db)
  await sql`create index companies_by_name_key on companies (company_name_key(name))`.execute(db)
  await sql`create index companies_by_website_host on companies (website_host(website)) where website is not null`.execute(
    db,
  )
  await sql`
    create index trash_by_name_key on trash (company_name_key(name)) where entity_type = 'company'`.execute(
    db,
  )
  await sql`alter table companies drop column match_key`.execute(db)
  await sql`alter table trash drop column match_key`.execute(db)
}
