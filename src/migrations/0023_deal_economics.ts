import { type Kysely, sql } from 'kysely'

/** The stages that were built in so far, in board order. */
const STAGES = [
  { key: 'initial', label: 'Initial', default_probability: 10, outcome: null },
  { key: 'meeting', label: 'Meeting', default_probability: 20, outcome: null },
  { key: 'due_diligence', label: 'Due diligence', default_probability: 40, outcome: null },
  { key: 'term_sheet', label: 'Term sheet', default_probability: 70, outcome: null },
  { key: 'closed_won', label: 'Closed won', default_probability: 100, outcome: 'won' },
  { key: 'closed_lost', label: 'Closed lost', default_probability: 0, outcome: 'lost' },
]

/** The money of deals, the time they entered their stage, and configurable stages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dealflow add column amount_eur double precision, add column round text,
      add column valuation_eur double precision, add column ownership_percent double precision,
      add column source text, add column lost_reason text, add column expected_close_on date,
      add column stage_entered_at timestamptz`.execute(db)
  await sql`
    update dealflow set stage_entered_at = coalesce((
      select max("timestamp") from activity
      where entity_id = dealflow.id and activity_type = 'dealflow_stage_changed'), created_at)`.execute(db)
  await sql`alter table dealflow alter column stage_entered_at set not null`.execute(db)
  await deriveStageTime(db)
  await sql`
    create table deal_stage_config (
      is_only boolean primary key default true check (is_only),
      stages json not null,
      updated_at timestamptz not null,
      updated_by text
    )`.execute(db)
  await sql`
    insert into deal_stage_config (stages, updated_at)
    values (${JSON.stringify(STAGES)}::json, date_trunc('milliseconds', now()))`.execute(db)
}

/** A trigger, so that every path that changes a stage sets the time. A restored deal keeps its own. */
async function deriveStageTime(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function set_stage_entered_at() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then new.stage_entered_at := coalesce(new.stage_entered_at, new.created_at);
      elsif new.stage is distinct from old.stage then new.stage_entered_at := new.updated_at;
      else new.stage_entered_at := old.stage_entered_at;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger set_stage_entered_at before insert or update on dealflow
    for each row execute function set_stage_entered_at()`.execute(db)
}
