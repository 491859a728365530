import { notifications } from '@mantine/notifications'
import { type QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Client } from '#src/client/client.ts'
import { strings as actions } from '#strings/actions.ts'
import { strings } from '#strings/matches.ts'
import { hideNotice, showNotice } from '#web/activity/notice.tsx'
import { changeQueue } from '#web/api/live/change-queue.ts'
import { latestChanges } from '#web/api/live/latest-changes.ts'
import { refreshAfterOwnChange } from '#web/api/live/refresh.ts'
import { type MatchQuery, queries } from '#web/api/queries.ts'
import { service, type ThesisMatch, withUser } from '#web/api/service.ts'

type MatchPage = Awaited<ReturnType<Client['listThesisMatches']>>
type Verdict = ThesisMatch['verdict']

interface Judgment {
  /** The match before the change. */
  match: ThesisMatch
  verdict: Verdict
}

/** The user's actions on a match. */
export interface MatchActions {
  judge: (match: ThesisMatch, verdict: Verdict) => void
  assign: (match: ThesisMatch) => void
}

/**
 * The matches of a thesis. Leaving or closing the list marks everything as seen up to the moment it was loaded. A
 * company that is opened from the list leads back to it.
 * @param address of the list
 */
export function useMatches(thesis: string, query: MatchQuery, address: string) {
  const matches = useQuery(queries.thesisMatches(thesis, query))
  const queryClient = useQueryClient()
  const { history } = useRouter()
  const latest = useRef({ until: matches.data?.until, address })
  useEffect(() => {
    const close = () => {
      const { until } = latest.current
      if (until === undefined) return
      markSeen(thesis, until)
        .then(() => queryClient.invalidateQueries({ queryKey: ['theses', 'matches', thesis] }))
        // After a failure, the matches stay new until the next visit.
        .catch(() => {})
    }
    window.addEventListener('pagehide', close)
    return () => {
      window.removeEventListener('pagehide', close)
      if (history.location.state.list !== latest.current.address) close()
    }
  }, [thesis, history, queryClient])
  useEffect(() => {
    latest.current = { until: matches.data?.until, address }
  })
  return matches
}

/** The request outlives the page. */
const markSeen = (id: string, until: string) =>
  service.markMatchesSeen(
    { params: { id }, querystring: { until } },
    { fetch: (address, request) => fetch(address, withUser({ ...request, keepalive: true })) },
  )

/** Shows a match with its verdict. It leaves the lists of other verdicts. */
function putVerdict(queryClient: QueryClient, key: QueryKey, id: string, verdict: Verdict): void {
  for (const [queryKey, page] of queryClient.getQueriesData<MatchPage>({ queryKey: key })) {
    const shown = (queryKey.at(-1) as MatchQuery).verdict
    if (!page?.data.some((match) => match.id === id)) continue
    const stays = shown === undefined || shown === (verdict ?? 'none')
    const data = stays
      ? page.data.map((match) => (match.id === id ? { ...match, verdict } : match))
      : page.data.filter((match) => match.id !== id)
    const total = page.pagination.total - (stays ? 0 : 1)
    queryClient.setQueryData<MatchPage>(queryKey, {
      ...page,
      data,
      pagination: { ...page.pagination, total },
    })
    // Loads the next matches once the whole page has been judged.
    if (data.length === 0 && total > 0) queryClient.invalidateQueries({ queryKey, exact: true })
  }
}

export function useMatchActions(thesis: string): MatchActions {
  const queryClient = useQueryClient()
  const matchesKey = ['theses', 'matches', thesis]
  const refetch = () => queryClient.invalidateQueries({ queryKey: matchesKey })
  const send = (id: string, verdict: Verdict) =>
    service.judgeMatch({ params: { id: thesis, company_id: id }, body: { verdict } })
  const undo = useMutation({
    ...changeQueue,
    mutationFn: (undoThis: () => Promise<void>) => undoThis(),
    onError: hideNotice,
    onSettled: refetch,
  })
  const judge = useMutation({
    ...changeQueue,
    mutationFn: async ({ match: { id, name, verdict: previous }, verdict }: Judgment) => {
      await send(id, verdict)
      await queryClient.cancelQueries({ queryKey: matchesKey })
      putVerdict(queryClient, matchesKey, id, verdict)
      if (verdict === previous) return
      const undoThis = latestChanges.addWithoutAction(async () => {
        await send(id, previous)
        showNotice({ text: actions.undone(1) })
      })
      showNotice({ text: strings.judged[verdict ?? 'none'](name), undo: () => undo.mutate(undoThis) })
    },
    onError: refetch,
    // Semantic search has a strict rate limit, so the matches are not refetched after each verdict.
    onSettled: () => refreshAfterOwnChange({ kind: 'thesis', id: thesis }),
  })
  const assign = useMutation({
    mutationFn: ({ id }: ThesisMatch) =>
      service.updateCompany({ params: { id }, body: { thesis_id: thesis } }),
    onSuccess: (_saved, { id, name }) => {
      notifications.show({ message: strings.assigned(name) })
      queryClient.setQueriesData<MatchPage>(
        { queryKey: matchesKey },
        (page) =>
          page && { ...page, data: page.data.map((m) => (m.id === id ? { ...m, thesis_id: thesis } : m)) },
      )
      refreshAfterOwnChange({ kind: 'company', id })
    },
  })
  return {
    judge: (match, verdict) => judge.mutate({ match, verdict }),
    assign: (match) => match.thesis_id !== thesis && assign.mutate(match),
  }
}
