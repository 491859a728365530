import { type Kysely, sql } from 'kysely'

/** The function that fails a statement whose list would be larger than a page may be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function raise_page_too_large() returns text language plpgsql volatile as $$
    begin raise exception 'the page is too large' using errcode = 'DP001'; end $$`.execute(db)
}
