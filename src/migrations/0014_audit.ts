import { type Kysely, sql } from 'kysely'

/** The audit log, whose entries a trigger chains by hashes (docs/adr/0017), and the erasures of people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_entries (
      position bigint primary key,
      id text collate "C" not null constraint audit_entries_id_unique unique,
      at timestamptz not null,
      event text not null,
      user_email text,
      address text,
      browser text,
      request_id text,
      details json not null,
      salts text[] not null,
      digests text[] not null,
      hash text not null
    )`.execute(db)
  for (const column of ['event', 'user_email', 'address'])
    await sql`create index ${sql.id(`audit_entries_by_${column}`)} on audit_entries (${sql.id(column)}, id)`.execute(
      db,
    )
  await sql`create index audit_entries_by_at on audit_entries (at)`.execute(db)
  await createChain(db)
  await sql`
    create table erasures (
      pseudonym text collate "C" primary key,
      email text constraint erasures_email_unique unique,
      started_at timestamptz not null default now(),
      finished_at timestamptz
    )`.execute(db)
}

/**
 * Chains entries in the order of their transactions, which take turns. Personal values are hashed with salts of their
 * own: to erase a value, its salt is deleted, and the chain still holds. `features/audit/verify.ts` checks it.
 */
async function createChain(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function chain_audit_entry() returns trigger language plpgsql as $$
    declare
      previous record;
      personal text[] := array[new.user_email, new.address, new.browser, new.details::text];
    begin
      perform pg_advisory_xact_lock(7207114);
      select position, hash into previous from audit_entries order by position desc limit 1;
      new.position := coalesce(previous.position, 0) + 1;
      new.salts := array(select encode(uuid_send(gen_random_uuid()), 'hex') from generate_series(1, 4));
      new.digests := array(
        select encode(sha256(convert_to(new.salts[n] || coalesce('=' || personal[n], ''), 'UTF8')), 'hex')
        from generate_series(1, 4) n order by n);
      new.hash := encode(sha256(convert_to(concat_ws(E'\\n', coalesce(previous.hash, ''), new.position, new.id,
        (extract(epoch from new.at) * 1000)::bigint, new.event, coalesce(new.request_id, ''),
        array_to_string(new.digests, ' ')), 'UTF8')), 'hex');
      return new;
    end $$`.execute(db)
  await sql`
    create trigger chain_audit_entry before insert on audit_entries
    for each row execute function chain_audit_entry()`.execute(db)
}
