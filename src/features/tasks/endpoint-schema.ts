import { Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import { bomParameter } from '#src/features/companies/export/export-schema.ts'
import { deleted, gone, idPath } from '#src/features/trash/schema.ts'
import { Data, endpoint, IfMatch, Page, Strict } from '#src/platform/schema/shapes.ts'
import { FinishedTask, NewTask, Task, TaskPatch, TaskQuery, taskExample, taskFilters } from './schema.ts'

const path = idPath('The id of a task: tsk_…')
const tags = ['Tasks']
const ofOthers = 'Tasks that you neither wrote nor are assigned need the permission to delete.'

export const listTasks = endpoint('GET', '/api/tasks', {
  operationId: 'listTasks',
  'x-action': 'read',
  tags,
  summary: 'List tasks',
  description:
    'By default those that are not done, due first first, without a date last. Done ones: last done first. The total is exact.',
  querystring: TaskQuery,
  response: { 200: Page(Task, taskExample) },
})

export const getTask = endpoint('GET', '/api/tasks/:id', {
  operationId: 'getTask',
  'x-action': 'read',
  tags,
  summary: 'Read a task',
  description: 'With the names of the records that it is about, and the day that counts now.',
  params: path,
  response: { 200: Data(Task, taskExample) },
})

export const createTask = endpoint('POST', '/api/tasks', {
  operationId: 'createTask',
  'x-action': 'write',
  tags,
  summary: 'Create a task',
  description: 'Only `title` is required.',
  body: NewTask,
  response: { 201: Data(Task, taskExample) },
})

export const updateTask = endpoint('PATCH', '/api/tasks/:id', {
  operationId: 'updateTask',
  'x-action': 'write_own',
  tags,
  summary: 'Change a task',
  description: `Fields that are not sent keep their values, but \`due_on\` replaces \`due_at\` and the other way around. ${ofOthers}`,
  headers: IfMatch,
  params: path,
  body: TaskPatch,
  response: { 200: Data(Task, taskExample) },
})

export const getTaskHistory = historyEndpoint('/api/tasks/:id/history', 'getTaskHistory', 'Tasks', 'task')

export const deleteTask = endpoint('DELETE', '/api/tasks/:id', {
  operationId: 'deleteTask',
  'x-action': 'write_own',
  tags,
  summary: 'Delete a task',
  description: `${deleted('task')} ${ofOthers}`,
  params: path,
  response: gone,
})

export const finishTask = endpoint('PUT', '/api/tasks/:id/done', {
  operationId: 'finishTask',
  'x-action': 'write_own',
  tags,
  summary: 'Finish a task',
  description: `One that repeats goes on as a new task, \`next_id\`. Undoing the action takes both back. ${ofOthers}`,
  params: path,
  response: {
    200: Data(FinishedTask, {
      ...taskExample,
      done_at: '2026-03-06T14:00:00.000Z',
      done_by: 'ben@example.com',
      ...{ next_id: null, next_due_on: null, next_due_at: null },
    }),
  },
})

export const reopenTask = endpoint('DELETE', '/api/tasks/:id/done', {
  operationId: 'reopenTask',
  'x-action': 'write_own',
  tags,
  summary: 'Open a task again',
  description: `The next task of one that repeats stays, and goes on repeating. ${ofOthers}`,
  params: path,
  response: { 200: Data(Task, taskExample) },
})

export const exportTasks = endpoint('GET', '/api/tasks/export', {
  operationId: 'exportTasks',
  'x-action': 'export',
  tags,
  summary: 'Export tasks as a CSV file',
  description:
    'Oldest first. Takes the filters of the list. Several records that a task is about are separated by semicolons.',
  produces: ['text/csv'],
  querystring: Strict(Type.Object({ ...taskFilters, bom: bomParameter })),
  response: {
    200: Type.String({
      description: 'Text that a spreadsheet would run as a formula begins with an apostrophe.',
      examples: [
        `id,title,due_on,about\r\n${taskExample.id},Send the term sheet,2026-03-09,Nordlys Robotics\r\n`,
      ],
    }),
  },
})
