import { type Kysely, type RawBuilder, sql } from 'kysely'

/**
 * Companies with a deal or a thesis come first where the number of vectors is limited. So one that has no vector is queued
 * when it gets its first thesis, or a deal. Other changes only compare the changed rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The table of vectors exists once a model has been configured, so it is read after the return. One query for all models
  // would read all vectors. The order is that of all writers to the queue, so that none waits for another in a circle.
  await sql`
    create function queue_without_vector(companies text[]) returns void language plpgsql as $$
    declare
      model_key text;
      missing text[] := '{}';
    begin
      if to_regclass('embeddings') is null then
        return;
      end if;
      for model_key in select key from embedding_models where state <> 'former' loop
        missing := missing || array(
          select company from unnest(companies) company
          where not exists (select from embeddings where model = model_key and embeddings.id = company));
      end loop;
      insert into companies_to_embed (company_id)
      select company from unnest(missing) company group by company order by company collate "C"
      on conflict (company_id) do update set change = excluded.change;
    end $$`.execute(db)
  await createTrigger(
    db,
    'companies',
    'update',
    sql`
    select changed.id from changed join former using (id)
    where former.thesis_id is null and changed.thesis_id is not null`,
  )
  await createTrigger(db, 'dealflow', 'insert', sql`select company_id from changed`)
  await createTrigger(
    db,
    'dealflow',
    'update',
    sql`
    select changed.company_id from changed join former using (id) where changed.company_id <> former.company_id`,
  )
}

async function createTrigger(
  db: Kysely<unknown>,
  table: string,
  event: 'insert' | 'update',
  preferred: RawBuilder<unknown>,
): Promise<void> {
  const name = sql.id(`queue_preferred_of_${table}_${event}`)
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    declare companies text[] := array(${preferred});
    begin
      if companies <> '{}' then
        perform queue_without_vector(companies);
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ${name} after ${sql.raw(event)} on ${sql.table(table)}
    referencing new table as changed ${sql.raw(event === 'update' ? 'old table as former' : '')}
    for each statement execute function ${name}()`.execute(db)
}
