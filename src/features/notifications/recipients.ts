import { type RawBuilder, sql } from 'kysely'
import { isListed } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { NotificationKind, SubjectType } from './schema.ts'

/** A reason to notify a user of an event. */
export interface Reason {
  seq: string
  kind: NotificationKind
  user_email: string
  actor_email: string | null
  subject_type: SubjectType
  subject_id: string
  action_id: string | null
  details: object
  /** What makes the notification unique, of kinds that do not have one for each action. */
  dedupe: string | null
}

/** The types of events that have recipients. Imports and bulk actions have them when they end, whatever the event says. */
export const EVENT_TYPES = [
  'note.created',
  'note.updated',
  'task.created',
  'task.updated',
  'task.reopened',
  'decision.created',
  'decision.updated',
  'deal.stage_changed',
  'file.infected',
] as const
export const ENDING_KINDS = ['import', 'bulk_action'] as const

/** The first later change of a field: it says what the field was until then. */
const laterChange = (field: string) => sql`
  (select later.changes -> ${sql.lit(field)} from activity later
    where later.entity_id = happened.record_id and later.changes -> ${sql.lit(field)} is not null
    order by later.id limit 1)`

/** The users whom an event has added to a list of users: when the record was created, all that were in it then. */
const addedTo = (field: 'mentions' | 'asked', created: string, present: RawBuilder<unknown>) => {
  const elements = (side: 'from' | 'to') =>
    sql`select json_array_elements_text(changes -> ${sql.lit(field)} -> ${sql.lit(side)})`
  return sql`unnest(case
    when activity_type <> ${sql.lit(created)} then array(${elements('to')} except ${elements('from')})
    when ${laterChange(field)} is null then ${present}
    else array(select json_array_elements_text(${laterChange(field)} -> 'from')) end)`
}

function mentioned() {
  return sql`
    select seq, 'mentioned' as kind, mention collate "C" as recipient, actor, 'note' as subject_type,
      notes.id as subject_id, action_id, '{}'::jsonb as details, null::text as dedupe
    from happened join notes on notes.id = record_id,
      lateral ${addedTo('mentions', 'note_created', sql`notes.mentions`)} as mention
    where activity_type in ('note_created', 'note_updated') and mention collate "C" = any(notes.mentions)`
}

/** A reply is about the same records as its parent. Users who are mentioned get `mentioned` instead. */
function noteAdded() {
  return sql`
    select distinct seq, 'note_added', recipient, actor, 'note', notes.id, action_id,
      jsonb_build_object('kind', notes.kind, 'is_reply', notes.parent_id is not null), null::text
    from happened join notes on notes.id = record_id, lateral (
      select followers.user_email as recipient from links
        left join dealflow on target_type = 'deal' and dealflow.id = target_id
        join record_followers followers on followers.entity_id in (target_id, dealflow.company_id)
        where links.record_id = coalesce(notes.parent_id, notes.id) and relation = 'about'
          and not exists (select from trash where trash.id = target_id)
      union select author_email from notes parent where parent.id = notes.parent_id) told
    where activity_type = 'note_created' and recipient <> all(notes.mentions)`
}

/** The next task of a repeating one is no news. */
function assigned() {
  const assignee = sql`changes -> 'assignee_email'`
  const assigneeAtFirst = sql`case when ${laterChange('assignee_email')} is null then tasks.assignee_email
    else ${laterChange('assignee_email')} ->> 'from' end`
  const isReturned = sql`coalesce(metadata ->> 'reason' = 'assignee_disabled', false)`
  return sql`
    select seq, case when ${isReturned} then 'task_returned' else 'assigned' end, tasks.assignee_email, actor, 'task',
      tasks.id, action_id, case when ${isReturned} then jsonb_build_object('previous_assignee', metadata -> 'previous_assignee')
        else '{}' end, null::text
    from happened join tasks on tasks.id = record_id
    where done_at is null and case activity_type
      when 'task_created' then (${assigneeAtFirst}) collate "C" = tasks.assignee_email and metadata ->> 'previous_id' is null
      when 'task_updated' then (${assignee} ->> 'to') collate "C" = tasks.assignee_email
      when 'task_reopened' then (${assignee} ->> 'to') collate "C" = tasks.assignee_email end`
}

function voteAsked() {
  return sql`
    select seq, 'vote_asked', voter collate "C", actor, 'decision', decisions.id, action_id, '{}'::jsonb, null::text
    from happened join decisions on decisions.id = record_id,
      lateral ${addedTo('asked', 'decision_created', sql`decisions.asked`)} as voter
    where activity_type in ('decision_created', 'decision_updated') and outcome is null
      and voter collate "C" = any(decisions.asked)`
}

function dealMoved() {
  return sql`
    select distinct seq, 'deal_moved', followers.user_email, actor, 'deal', dealflow.id, action_id,
      jsonb_build_object('from', metadata -> 'from', 'to', metadata -> 'to'), null::text
    from happened join dealflow on dealflow.id = record_id
      join record_followers followers on followers.entity_id in (dealflow.id, dealflow.company_id)
    where activity_type = 'dealflow_stage_changed'`
}

/** Admins who cannot see a private file are left out, as from everything. */
function fileInfected() {
  return sql`
    select seq, 'file_infected', users.email collate "C", null::text, 'file', files.id, action_id,
      jsonb_build_object('found', metadata -> 'found'), null::text
    from happened join files on files.id = record_id
      join file_versions on file_id = files.id and file_versions.version = (metadata ->> 'version')::int
      join users on users.role = 'admin' or users.email = file_versions.uploaded_by collate "default"
    where activity_type = 'file_infected'`
}

/** An event without a record is about several. */
const isMeant = (id: string, endedAt: string) =>
  sql`(happened.record_id = ${sql.ref(id)} or (happened.record_id is null
    and ${sql.ref(endedAt)} > clock_timestamp() - interval '1 hour'))`

/** One that was interrupted may go on, and end again. */
function importEnded() {
  return sql`
    select min(seq), 'import_ended', imports.user_email collate "C", null::text, 'import', imports.id, imports.action_id,
      jsonb_build_object('type', imports.type, 'state', state), 'import_ended:' || imports.id || ':' || state
    from happened join imports on ${isMeant('imports.id', 'imports.finished_at')}
    where event_kind = 'import' and state <> 'running' and imports.user_email is not null
    group by imports.id`
}

/** Those who cancel their own action know. */
function bulkActionEnded() {
  return sql`
    select min(seq), 'bulk_action_ended', bulk_actions.user_email collate "C", null::text, 'bulk_action', bulk_actions.id,
      null::text, jsonb_build_object('action_type', action_type, 'status', status, 'total_companies', total_companies),
      'bulk_action_ended:' || bulk_actions.id || ':' || attempt
    from happened join bulk_actions on ${isMeant('bulk_actions.id', 'bulk_actions.completed_at')}
    where event_kind = 'bulk_action' and status in ('completed', 'failed', 'cancelled') and bulk_actions.user_email is not null
      and not exists (select from activity where entity_id = bulk_actions.id and activity_type = 'bulk_action_cancelled'
        and activity.user_email = bulk_actions.user_email and status = 'cancelled')
    group by bulk_actions.id`
}

/** The recipients of each event, including those who may not see the subject. */
const REASONS: readonly RawBuilder<unknown>[] = [
  mentioned(),
  noteAdded(),
  assigned(),
  voteAsked(),
  dealMoved(),
  fileInfected(),
  importEnded(),
  bulkActionEnded(),
]

/** Users get no notifications of their own actions, except for tasks that came to them because a colleague was disabled. */
const isOwn = sql`(recipient is not distinct from actor and kind <> 'task_returned')`

/**
 * Whom events have to be told to, oldest first. Disabled users, and those who may not see the subject, are left out.
 * @param seqs the numbers of the events
 * @returns also the mentions and tasks of the users themselves, who follow what they are about
 */
export async function readReasons(db: Db, seqs: readonly string[]): Promise<(Reason & { isOwn: boolean })[]> {
  const { rows } = await sql<Reason & { isOwn: boolean }>`
    with happened as materialized (
      select seq, events.kind as event_kind, record_id, events.action_id, events.user_email collate "C" as actor, activity_type,
        changes, metadata
      from events left join activity on activity.id = activity_id where seq = any(${[...seqs]}::bigint[]))
    select seq::text, kind, recipient as user_email, actor as actor_email, subject_type, subject_id, action_id, details, dedupe,
      ${isOwn} as "isOwn"
    from (${sql.join(REASONS, sql` union all `)}) reasons join users on users.email = recipient collate "default"
    where disabled_at is null and (not ${isOwn} or kind in ('mentioned', 'assigned'))
      and ${isListed(sql`subject_id`)} and not exists (select from private_records
        where private_records.id = subject_id and recipient <> all(readers))
    order by reasons.seq, kind, recipient`.execute(db)
  return rows
}
