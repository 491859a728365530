import { type Static, type TObject, Type } from 'typebox'
import { Named, Nullable, Timestamp } from '#src/platform/schema/shapes.ts'

export const NextStep = Named('NextStep', {
  task_id: Type.String(),
  title: Type.String(),
  due_on: Nullable(Type.String({ format: 'date' })),
  due_at: Nullable(Timestamp),
  assignee_email: Nullable(Type.String()),
})

/** What companies, deals, and people show of their open tasks. Read-only. */
export const nextStepProperties = {
  next_step: Nullable(
    Type.Object(NextStep.properties, {
      description:
        'The open task that is due first. A company also has the tasks of its deals. `as_of` shows none. Read-only.',
    }),
  ),
}
export type NextStepColumn = Static<TObject<typeof nextStepProperties>>

export const nextStepNames = Object.keys(nextStepProperties) as (keyof NextStepColumn)[]

export const nextStepExample: NextStepColumn = {
  next_step: {
    task_id: 'tsk_01jw3f8x6e3g5j7m9p1r3t5w7y',
    title: 'Send the term sheet',
    due_on: '2026-03-09',
    due_at: null,
    assignee_email: 'ben@example.com',
  },
}
