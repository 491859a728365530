import { useMutation } from '@tanstack/react-query'
import { type RouterHistory, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { strings } from '#strings/keyboard.ts'
import { connection } from '#web/api/connection.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { COMPANIES, listPosition } from '#web/lists/list-position.ts'
import { lastCompaniesSearch } from '#web/screens/companies/companies-search.ts'
import { isInList, neighborOf, neighborOnPage } from '#web/screens/companies/neighbors.ts'

/** The company whose address is open. With keys in quick succession, the screen still shows one before it. */
const openId = ({ location }: RouterHistory): string | undefined =>
  /^\/companies\/([^/]+)$/.exec(location.pathname)?.[1]

/**
 * The keys that open the next and the previous company in the order of the list, and the list itself. They work while
 * the company is still loading.
 * @returns a function that returns from a deleted company to the list, at the company after it
 */
export function useListMoves(id: string): () => void {
  const navigate = useNavigate()
  const { history } = useRouter()
  const { list } = history.location.state
  const canMove = isInList(openId(history) ?? id, list)
  useEffect(() => {
    if (!canMove || openId(history) !== id) return
    listPosition.moveTo(id, list)
    const next = neighborOnPage(id, 1)
    // While requests are limited, those for what is on screen come first.
    const isLimited = Date.now() < connection.get().retryAt
    if (next && !isLimited) queryClient.prefetchQuery(queries.company(next))
  }, [id, list, canMove, history])
  const { mutate: move } = useMutation({
    // One at a time: each starts from the company that the previous one opened.
    scope: { id: 'list-moves' },
    mutationFn: async (step: 1 | -1) => {
      const from = openId(history)
      const neighbor = from && (await neighborOf(from, step, () => openId(history) === from))
      if (!neighbor || openId(history) !== from) return
      listPosition.moveTo(neighbor, list)
      // Going back leads to the list, not through all companies.
      navigate({ to: '/companies/$id', params: { id: neighbor }, hash: true, state: true, replace: true })
    },
  })
  const backToList = () => {
    if (list !== undefined && list !== COMPANIES) history.push(list)
    else navigate({ to: '/companies', search: lastCompaniesSearch() })
  }
  const leaveDeleted = () => {
    const neighbor = neighborOnPage(id, 1) ?? neighborOnPage(id, -1)
    if (canMove && neighbor) listPosition.moveTo(neighbor, list)
    backToList()
  }
  const group = strings.company
  const disabled = !canMove
  useActions([
    { id: 'next-company', label: strings.nextCompany, group, keys: ['J'], run: () => move(1), disabled },
    {
      id: 'previous-company',
      label: strings.previousCompany,
      group,
      keys: ['K'],
      run: () => move(-1),
      disabled,
    },
    { id: 'back-to-list', label: strings.backToList, group, keys: ['Escape'], run: backToList },
  ])
  return leaveDeleted
}
