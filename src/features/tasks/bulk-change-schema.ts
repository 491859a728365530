import { type Static, Type } from 'typebox'
import { deleted, gone } from '#src/features/trash/schema.ts'
import { Data, endpoint, Named, Nullable, Strict } from '#src/platform/schema/shapes.ts'
import { MAX_TASK_DAYS, taskExample, taskProperties } from './schema.ts'

export const MAX_CHANGED_TASKS = 1000

const { assignee_email, due_on } = taskProperties

const TaskChanges = Strict(
  Type.Object(
    {
      assignee_email: Type.Optional(assignee_email),
      due_on: Type.Optional(due_on),
      postpone_days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_TASK_DAYS,
          description:
            'Days to postpone by, from the day the task is due, or from today if that is later. The time of day stays.',
        }),
      ),
      done: Type.Optional(Type.Literal(true)),
    },
    { minProperties: 1 },
  ),
)

const ids = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: MAX_CHANGED_TASKS,
  description: 'Ids of tasks: tsk_… Duplicates count once.',
})

export const TasksPatch = Strict(
  Type.Object(
    {
      ids,
      changes: TaskChanges,
    },
    { title: 'TasksPatch', examples: [{ ids: [taskExample.id], changes: { postpone_days: 7 } }] },
  ),
)
export type TasksPatch = Static<typeof TasksPatch>
export type TaskChanges = Static<typeof TaskChanges>

export const TasksChanged = Named('TasksChanged', {
  changed: Type.Integer({ description: 'The number of tasks that were changed.' }),
  unchanged: Type.Integer({ description: 'The number of tasks that were like this already.' }),
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the change. null if nothing was changed.',
    }),
  ),
})
export type TasksChanged = Static<typeof TasksChanged>

export const updateTasks = endpoint('PATCH', '/api/tasks', {
  operationId: 'updateTasks',
  'x-action': 'write_own',
  tags: ['Tasks'],
  summary: 'Change many tasks at once',
  description:
    'Reassigns, postpones, or finishes all of the tasks. If an id does not exist, the response is 400 and nothing changes. ' +
    'Tasks that you neither wrote nor are assigned need the permission to delete.',
  body: TasksPatch,
  response: {
    200: Data(TasksChanged, { changed: 12, unchanged: 1, action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5' }),
  },
})

export const deleteTasks = endpoint('DELETE', '/api/tasks', {
  operationId: 'deleteTasks',
  'x-action': 'write_own',
  tags: ['Tasks'],
  summary: 'Delete many tasks at once',
  description:
    `${deleted('tasks')} Deletes all of them, as one action, or none: 400 if an id does not exist. ` +
    'Tasks that you neither wrote nor are assigned need the permission to delete.',
  body: Strict(Type.Object({ ids }, { title: 'DeletedTasks', examples: [{ ids: [taskExample.id] }] })),
  response: gone,
})
