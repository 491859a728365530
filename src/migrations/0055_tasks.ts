import { type Kysely, sql } from 'kysely'

/** Tasks, the day that each is due, and the next step of companies, deals, and people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tasks (
      id text collate "C" primary key,
      title text not null,
      due_on date,
      due_at timestamptz,
      assignee_email text collate "C",
      author_email text collate "C",
      repeat text collate "C",
      repeat_day smallint,
      repeat_time text collate "C",
      unless_contact_days int,
      done_at timestamptz,
      done_by text collate "C",
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint tasks_due_once check (due_on is null or due_at is null)
    )`.execute(db)
  await sql`
    create index tasks_open on tasks (assignee_email, due_on, due_at, id) where done_at is null`.execute(db)
  await sql`create index tasks_by_assignee on tasks (assignee_email, id)`.execute(db)
  await sql`create index tasks_by_author on tasks (author_email, id)`.execute(db)
  await sql`create index tasks_done on tasks (done_at desc, id desc) where done_at is not null`.execute(db)
  await sql`create index tasks_due_at on tasks (due_at) where done_at is null and due_at is not null`.execute(
    db,
  )
  await sql`create index tasks_due_on on tasks (due_on) where done_at is null and due_on is not null`.execute(
    db,
  )
  await sql`
    create index tasks_unless_contact on tasks (id) where done_at is null and unless_contact_days is not null`.execute(
    db,
  )
  await createViews(db)
}

/**
 * Views, because days pass without a write: a contact counts from its time on. Ids of tasks begin with tsk_, so that looking
 * for them among the links of a record skips its notes.
 */
async function createViews(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view task_contacts as
      select links.record_id as task_id, happened_at
        from links join company_contacts on company_contacts.company_id = links.target_id
        where relation = 'about' and target_type = 'company'
      union all
      select links.record_id, happened_at
        from links join dealflow on dealflow.id = links.target_id
          join company_contacts on company_contacts.company_id = dealflow.company_id
        where relation = 'about' and target_type = 'deal'
      union all
      select links.record_id, happened_at
        from links join listed_contacts on listed_contacts.target_id = links.target_id
        where relation = 'about' and target_type = 'person'`.execute(db)
  // In PL/pgSQL, so that queries of records without such tasks are planned without all that contacts depend on.
  await sql`
    create function last_task_contact(task text) returns timestamptz language plpgsql stable as $$
    begin
      return (select max(happened_at) from task_contacts where task_id = task collate "C" and happened_at <= now());
    end $$`.execute(db)
  // PostgreSQL inlines it.
  await sql`
    create function task_due_on(task text, due date, days int, done timestamptz) returns date language sql stable
    return case when days is null or done is not null then due
      else greatest(due, (last_task_contact(task) at time zone 'UTC')::date + days) end`.execute(db)
  const dueOn = sql`task_due_on(tasks.id, tasks.due_on, unless_contact_days, done_at)`
  await sql`
    create view task_dues as select id, ${dueOn} as due_on, due_at from tasks
      where not exists (select from unlisted_records where unlisted_records.id = tasks.id)`.execute(db)
  const step = sql`tasks.id as task_id, title, ${dueOn} as due_on, due_at, assignee_email`
  const isOpenTask = sql`relation = 'about' and record_id >= 'tsk_' and record_id < 'tsl' and done_at is null`
  await sql`
    create view open_steps as
      select *, coalesce(due_on, (due_at at time zone 'UTC')::date) as due_day from (
        select target_id as record_id, ${step}
          from links join tasks on tasks.id = links.record_id
          where ${isOpenTask} and target_type in ('company', 'deal', 'person')
        union all
        select dealflow.company_id, ${step}
          from dealflow join links on target_id = dealflow.id join tasks on tasks.id = links.record_id
          where ${isOpenTask}) steps`.execute(db)
  await sql`
    create view next_steps as
      select distinct on (record_id) record_id, task_id, title, due_on, due_at, assignee_email
      from open_steps order by record_id, due_day nulls last, due_at nulls last, task_id`.execute(db)
}
