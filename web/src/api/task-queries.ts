import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Query, service } from './service.ts'

/** Tasks: next steps, follow-ups, and reminders. */
export const taskQueries = {
  tasks: (querystring: Query<'listTasks'>) =>
    queryOptions({
      queryKey: ['tasks', 'list', querystring],
      queryFn: ({ signal }) => service.listTasks({ querystring }, { signal }),
      placeholderData: keepPreviousData,
    }),
  task: (id: string) =>
    queryOptions({
      queryKey: ['tasks', 'one', id],
      queryFn: async ({ signal }) => (await service.getTask({ params: { id } }, { signal })).data,
    }),
}
