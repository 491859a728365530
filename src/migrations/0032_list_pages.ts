import { type Kysely, sql } from 'kysely'

/**
 * Lists walk companies from the newest. After an import has been undone they would pass all of its index entries until
 * autovacuum runs, by default when a fifth of the table is gone. Also counts changes of logos, which pages show.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table companies set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)`.execute(
    db,
  )
  await noteLogos(db)
  await sql`alter table company_changes add column logo_changes bigint not null default 0`.execute(db)
}

/** Background work adds rows without a logo all the time, which changes no page. */
async function noteLogos(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_logo_change() returns trigger language plpgsql as $$
    begin
      update company_changes set logo_changes = logo_changes + 1;
      return null;
    end $$`.execute(db)
  await sql`
    create function note_removed_logos() returns trigger language plpgsql as $$
    begin
      if exists (select from removed where version is not null) then
        update company_changes set logo_changes = logo_changes + 1;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_logo_change after update of version on logos for each row
    when (old.version is distinct from new.version) execute function note_logo_change()`.execute(db)
  await sql`
    create trigger note_removed_logos after delete on logos referencing old table as removed
    for each statement execute function note_removed_logos()`.execute(db)
}
