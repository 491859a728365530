import { type Kysely, sql } from 'kysely'

/** Lists of actions: exact totals from counters, and an index for each combination of filters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index actions_by_kind on actions (kind, id)`.execute(db)
  await sql`create index actions_by_user on actions (user_email, id)`.execute(db)
  await sql`create index actions_by_user_and_kind on actions (user_email, kind, id)`.execute(db)
  const columns = sql.raw('kind text collate "C", user_email text collate "C", n bigint not null')
  await sql`create table action_counts (${columns}, unique nulls not distinct (kind, user_email))`.execute(db)
  await sql`create table action_count_deltas (${columns})`.execute(db)
  await noteActions(db)
  // Concurrent writers wait for this migration since the triggers were created, so nothing is counted twice.
  await sql`
    insert into action_counts (kind, user_email, n)
    select kind, user_email, count(*) from actions group by kind, user_email`.execute(db)
}

/** Actions are stored one at a time. Only the erasure of a person changes whose they are. */
async function noteActions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_action() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then insert into action_count_deltas values (old.kind, old.user_email, -1); end if;
      if tg_op <> 'DELETE' then insert into action_count_deltas values (new.kind, new.user_email, 1); end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_action after insert or delete on actions for each row execute function note_action()`.execute(
    db,
  )
  await sql`
    create trigger note_action_user after update of user_email on actions for each row
    when (old.user_email is distinct from new.user_email) execute function note_action()`.execute(db)
}
