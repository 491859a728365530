import { type Kysely, sql } from 'kysely'

/** Feedback that the tracker has rejected is no longer retried. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table feedback drop constraint feedback_state_check, drop constraint filed_feedback_has_an_issue,
      add constraint feedback_state_check check (state in ('pending', 'rejected', 'filed')),
      add constraint filed_feedback_has_an_issue check (
        state <> 'filed' or (tracker is not null and issue_id is not null and url is not null))`.execute(db)
}
