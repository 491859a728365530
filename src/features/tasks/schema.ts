import { type Static, Type } from 'typebox'
import { AboutEntry, aboutFilter, MAX_ABOUT, NamedAboutEntry } from '#src/features/links/schema.ts'
import {
  filterParameter,
  repeatedFilter,
  repeatedUserFilter,
  sortParameter,
} from '#src/platform/filter/schema.ts'
import { UserEmail } from '#src/platform/schema/email-address.ts'
import { Named, Nullable, OneOf, Patch, pageQuery, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

export const REPEATS = ['daily', 'weekly', 'monthly', 'quarterly'] as const
export type Repeat = (typeof REPEATS)[number]
export const DUES = ['overdue', 'today', 'week', 'later', 'none'] as const
export const MAX_TASK_TITLE_LENGTH = 500
export const MAX_TASK_DAYS = 3650
/** The years that a task can be due in. */
export const DUE_YEARS = { from: 1900, until: 2200 } as const
/** The value of `assignee` for tasks that are assigned to no one. */
export const NO_ASSIGNEE = 'none'

const title = Type.String({ minLength: 1, maxLength: MAX_TASK_TITLE_LENGTH, pattern: '\\S' })

const years = `in the years ${DUE_YEARS.from} to ${DUE_YEARS.until}`

/** The writable fields besides the title. */
export const taskProperties = {
  due_on: Nullable(
    Type.String({
      format: 'date',
      description:
        `The day it is due, ${years}. With \`unless_contact_days\`, the day that counts now: that many days after ` +
        'the last contact, if that is later.',
    }),
  ),
  due_at: Nullable(
    Type.String({
      format: 'date-time',
      description: `The time it is due, ${years}. A task has \`due_on\` or \`due_at\`, not both.`,
    }),
  ),
  assignee_email: Nullable(UserEmail),
  about: Type.Array(AboutEntry, {
    maxItems: MAX_ABOUT,
    description: `The companies, deals, people, and theses that it is about: at most ${MAX_ABOUT}.`,
  }),
  repeat: Nullable(
    OneOf(REPEATS, {
      description:
        'When it is finished, the next task is due on the first day of the rule after today, in the time zone of the ' +
        'assignee. Needs a date.',
    }),
  ),
  unless_contact_days: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TASK_DAYS,
      description:
        'A reminder to get in touch: a contact with a company or a person that the task is about, or with the company ' +
        'of such a deal, moves its due day to this many days later. Without `due_on`, it is due this many days from today.',
    }),
  ),
}

export const Task = Named('Task', {
  id: Type.String(),
  title,
  ...taskProperties,
  due_at: Nullable(Timestamp),
  assignee_email: Nullable(Type.String()),
  about: Type.Array(NamedAboutEntry),
  last_contact_at: Nullable({
    ...Timestamp,
    description:
      'Of a task with `unless_contact_days`: the last contact with what it is about. null: there was none.',
  }),
  done_at: Nullable(Timestamp),
  done_by: Nullable(Type.String()),
  author_email: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Task = Static<typeof Task>

/** A task that was finished. */
export const FinishedTask = Named('FinishedTask', {
  ...Task.properties,
  next_id: Nullable(Type.String({ description: 'The next task, if it repeats.' })),
  next_due_on: Nullable(Type.String({ description: 'When the next task is due, if on a day.' })),
  next_due_at: Nullable(Type.String({ description: 'When the next task is due, if at a time.' })),
})
export type FinishedTask = Static<typeof FinishedTask>

export const taskExample: Task = {
  id: 'tsk_01jw3f8x6e3g5j7m9p1r3t5w7y',
  title: 'Send the term sheet',
  due_on: '2026-03-09',
  due_at: null,
  assignee_email: 'ben@example.com',
  about: [{ type: 'company', id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s', name: 'Nordlys Robotics' }],
  repeat: null,
  unless_contact_days: null,
  last_contact_at: null,
  done_at: null,
  done_by: null,
  author_email: 'ada@example.com',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
}

export const NewTask = Strict(
  Type.Object(
    {
      title,
      ...Type.Partial(Type.Object(taskProperties)).properties,
      assignee_email: Type.Optional({
        ...taskProperties.assignee_email,
        description: 'By default, you. null: no one.',
      }),
    },
    {
      title: 'NewTask',
      examples: [
        {
          title: taskExample.title,
          due_on: taskExample.due_on,
          assignee_email: taskExample.assignee_email,
          about: [{ type: 'company', id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s' }],
        },
      ],
    },
  ),
)
export type NewTask = Static<typeof NewTask>

/** Fields that a PATCH ignores. */
export const TASK_READ_ONLY = [
  'id',
  'last_contact_at',
  'done_at',
  'done_by',
  'author_email',
  'created_at',
  'updated_at',
  ...['next_id', 'next_due_on', 'next_due_at'],
] as const

export const TaskPatch = {
  ...Patch(
    {
      title,
      ...taskProperties,
      // Their number is checked with what the task has.
      about: Type.Array(AboutEntry, {
        description: `What it is about: at most ${MAX_ABOUT} records. What was read can be sent back, also after records were restored or purged.`,
      }),
    },
    TASK_READ_ONLY,
  ),
  title: 'TaskPatch',
  examples: [{ due_on: '2026-03-16' }],
}
export type TaskPatch = Static<typeof TaskPatch>

export const taskFilters = {
  search: Type.Optional(
    Type.String({
      'x-normalize': 'text',
      maxLength: 1000,
      description: 'Parts of the title, in any order. Case and accents are ignored.',
    }),
  ),
  assignee: repeatedUserFilter(['me', NO_ASSIGNEE]),
  author_email: repeatedUserFilter(),
  about: aboutFilter(
    'The id of a record that the task is about. A company also has the tasks about its deals.',
  ),
  due: repeatedFilter({
    'x-normalize': 'word',
    enum: [...DUES],
    description:
      'By days in your time zone: before today or before now; today; in the next 7 days without today; later; without a date.',
  }),
  done: Type.Optional(Type.Boolean({ default: false, description: 'Whether it is done. By default false.' })),
  filter: filterParameter,
}

export const TaskQuery = Strict(Type.Object({ ...pageQuery(), ...taskFilters, sort: sortParameter() }))
export type TaskQuery = Static<typeof TaskQuery>
export type TaskFilters = Omit<TaskQuery, 'sort' | 'limit' | 'offset'>
