import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Client } from '#src/client/client.ts'
import { service, withUser } from '#web/api/service.ts'
import { ifMatch } from '#web/editing/if-match.ts'
import { type View, type ViewEntity, viewQueries } from '../view-queries.ts'
import { contentOf, type ViewState } from '../view-state.ts'

type ViewPatch = Parameters<Client['updateView']>[0]['body']

interface NewViewOptions {
  name: string
  visibility: View['visibility']
  state: ViewState
}

interface ViewChange {
  id: string
  changes: ViewPatch
  /** Fails if someone else saved the view after this version; null: overwrites whatever is saved. */
  seenAt: string | null
}

interface Look {
  id: string
  /** The moment up to which the list was shown. */
  until: string
}

/** The actions that change views. Each refreshes the tabs and the navigation. */
export function useViewActions(entity: ViewEntity) {
  const queryClient = useQueryClient()
  const { queryKey } = viewQueries.views(entity)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['views'] })
  const put = (view: View) =>
    queryClient.setQueryData(queryKey, (views) =>
      views?.some(({ id }) => id === view.id)
        ? views.map((other) => (other.id === view.id ? view : other))
        : [...(views ?? []), view],
    )
  const own = { meta: { handlesErrors: true } }

  const create = useMutation({
    ...own,
    mutationFn: async ({ name, visibility, state }: NewViewOptions) =>
      (await service.createView({ body: { entity, name, visibility, ...contentOf(state) } })).data,
    onSuccess: (view) => {
      put(view)
      refresh()
    },
  })
  const update = useMutation({
    ...own,
    mutationFn: async ({ id, changes, seenAt }: ViewChange) => {
      const { headers } = seenAt === null ? { headers: { 'if-match': '*' } } : ifMatch(seenAt)
      return (await service.updateView({ params: { id }, body: changes, headers })).data
    },
    onSuccess: (view) => {
      put(view)
      refresh()
    },
  })
  const remove = useMutation({
    ...own,
    mutationFn: (id: string) => service.deleteView({ params: { id } }),
    onSuccess: (_result, id) => {
      queryClient.setQueryData(queryKey, (views) => views?.filter((view) => view.id !== id))
      refresh()
    },
  })
  const setDefault = useMutation({
    mutationFn: (view_id: string | null) => service.setDefaultView({ body: { entity, view_id } }),
    onSuccess: refresh,
  })
  const order = useMutation({
    scope: { id: 'view-order' },
    mutationFn: (view_ids: string[]) => service.orderViews({ body: { entity, view_ids } }),
    onMutate: (ids) => {
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (views) =>
        views?.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
      )
      return { before }
    },
    onError: (_error, _ids, context) => queryClient.setQueryData(queryKey, context?.before),
    onSettled: refresh,
  })
  const markSeen = useMutation({
    // Sent on leaving a view, not by the user.
    ...own,
    // The request outlives the page.
    mutationFn: ({ id, until }: Look) =>
      service.markViewSeen(
        { params: { id }, querystring: { until } },
        { fetch: (address, request) => fetch(address, withUser({ ...request, keepalive: true })) },
      ),
    onSuccess: async (_result, { id }) => {
      for (const isOpen of [true, false]) {
        const { queryKey } = viewQueries.news(id, isOpen)
        // A response on its way may be older.
        await queryClient.cancelQueries({ queryKey })
        queryClient.setQueryData(
          queryKey,
          (news) => news && { ...news, count: 0, ids: [], isFirstLook: false },
        )
        // More records may have entered since.
        queryClient.invalidateQueries({ queryKey })
      }
    },
  })
  return { create, update, remove, setDefault, order, markSeen }
}

export type ViewActions = ReturnType<typeof useViewActions>
