import { type RawBuilder, sql } from 'kysely'
import { utcText } from '#src/platform/database/sql.ts'
import type { FilterField } from '#src/platform/filter/fields.ts'
import type { NextStepColumn } from './schema.ts'

type Entity = 'company' | 'deal' | 'person'

const IDS = { company: sql`companies.id`, deal: sql`dealflow.id`, person: sql`people.id` }

/** The column that lists and details show of a company, a deal, or a person. */
export const nextStepColumn = (entity: Entity): RawBuilder<unknown> => sql`(
  select json_build_object('task_id', task_id, 'title', title, 'due_on', due_on, 'due_at', ${utcText(sql`due_at`)},
    'assignee_email', assignee_email)
  from next_steps where record_id = ${IDS[entity]}) as next_step`

/** The day of the next step, to filter and sort by. A time counts as its day in UTC. */
const nextStepOn = (entity: Entity): RawBuilder<unknown> =>
  sql`(select min(due_day) from open_steps where record_id = ${IDS[entity]})`

/** The cells of an export: what is to be done, and on which day. */
export const nextStepCells = ({ next_step }: NextStepColumn) => ({
  next_step: next_step?.title ?? null,
  next_step_on: next_step && (next_step.due_on ?? next_step.due_at?.slice(0, 10) ?? null),
})

export const nextStepFields = (entity: Entity): readonly FilterField[] => [
  {
    name: 'next_step_on',
    label: 'Next step',
    type: 'date',
    sql: nextStepOn(entity),
    readsOtherTables: true,
  },
]
