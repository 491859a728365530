import { type Kysely, sql } from 'kysely'

/** The reasons that are configured at first, in their order. */
const REASONS = [
  ['too_early', 'Too early'],
  ['valuation', 'Valuation'],
  ['team', 'Team'],
  ['market', 'Market'],
  ['conflict', 'Conflict'],
  ['competition', 'Competition'],
  ['fit', 'Fit'],
  ['terms', 'Terms'],
  ['timing', 'Timing'],
  ['traction', 'Traction'],
].map(([key, label]) => ({ key, label }))

/** Decisions about companies, the reasons for them, and the latest one of each company. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A deal in the trash, or one that was purged, stays in the decision, so it is no foreign key.
  await sql`
    create table decisions (
      id text collate "C" primary key,
      company_id text collate "C" not null constraint decisions_company_exists references companies (id),
      deal_id text collate "C",
      outcome text collate "C",
      reasons text[] collate "C" not null default '{}',
      body text not null,
      asked text[] collate "C" not null default '{}',
      votes jsonb not null default '{}',
      decided_at timestamptz,
      revisit_on date,
      author_email text collate "C",
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint decisions_time_is_complete check ((outcome is null) = (decided_at is null))
    )`.execute(db)
  await sql`create index decisions_by_time on decisions (decided_at desc nulls first, id desc)`.execute(db)
  await sql`
    create index decisions_by_company on decisions (company_id, decided_at desc, id desc)`.execute(db)
  await sql`create index decisions_by_deal on decisions (deal_id, id) where deal_id is not null`.execute(db)
  await createReasons(db)
  await deriveLatest(db)
}

async function createReasons(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table decision_reason_config (
      is_only boolean primary key default true check (is_only),
      reasons json not null,
      updated_at timestamptz not null,
      updated_by text
    )`.execute(db)
  await sql`
    insert into decision_reason_config (reasons, updated_at)
    values (${JSON.stringify(REASONS)}::json, date_trunc('milliseconds', now()))`.execute(db)
  await sql`
    create function note_decision_reasons_event() returns trigger language plpgsql as $$
    begin
      insert into change_events (kind, records) values ('reason', 1);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_decision_reasons_event after update on decision_reason_config
    for each row execute function note_decision_reasons_event()`.execute(db)
}

/** Triggers, so that every path that writes decisions also writes their companies. */
async function deriveLatest(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table companies add column decision_outcome text collate "C", add column revisit_on date`.execute(
    db,
  )
  await sql`
    create index companies_by_decision on companies (decision_outcome, id) where decision_outcome is not null`.execute(
    db,
  )
  await sql`
    create index companies_by_revisit on companies (revisit_on, id) where revisit_on is not null`.execute(db)
  await sql`
    create function update_latest_decisions(ids text[]) returns void language plpgsql as $$
    begin
      update companies set decision_outcome = latest.outcome, revisit_on = latest.revisit_on
      from unnest(ids) as changed(id) left join lateral (
        select outcome, decisions.revisit_on from decisions
        where decisions.company_id = changed.id and outcome is not null
        order by decided_at desc, decisions.id desc limit 1) latest on true
      where companies.id = changed.id
        and (companies.decision_outcome, companies.revisit_on) is distinct from (latest.outcome, latest.revisit_on);
    end $$`.execute(db)
  for (const [event, tables, rows] of [
    ['insert', 'new table as added', 'select company_id from added'],
    [
      'update',
      'old table as removed new table as added',
      'select company_id from added union select company_id from removed',
    ],
    ['delete', 'old table as removed', 'select company_id from removed'],
  ] as const) {
    const name = sql.id(`update_latest_decisions_on_${event}`)
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        perform update_latest_decisions(array(select distinct company_id from (${sql.raw(rows)}) changed));
        return null;
      end $$`.execute(db)
    await sql`
      create trigger ${name} after ${sql.raw(event)} on decisions referencing ${sql.raw(tables)}
      for each statement execute function ${name}()`.execute(db)
  }
}
