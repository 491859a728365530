import { useNavigate, useRouter } from '@tanstack/react-router'
import type { MatchesSearch, ThesisSearch } from '../thesis-search.ts'

type Changes = { [K in keyof MatchesSearch]: MatchesSearch[K] | undefined }

/**
 * The address of the matches that are shown, and a function that shows others. Changing anything but the page returns to
 * the first page.
 */
export function useMatchesAddress(thesis: string, search: MatchesSearch) {
  const router = useRouter()
  const to = '/theses/$id'
  const navigate = useNavigate({ from: to })
  const params = { id: thesis }
  const { href } = router.buildLocation({ to, params, search: { tab: 'matches', ...search } })
  const show = (changes: Changes, replace = false) => {
    // Uses the current address, not the rendered one, so that two quick changes both count.
    const next = (before: MatchesSearch): ThesisSearch => {
      const changed = Object.entries({ ...before, tab: 'matches', page: undefined, ...changes })
      return Object.fromEntries(changed.filter(([, value]) => value !== undefined))
    }
    navigate({ to, params, search: next, replace, resetScroll: 'page' in changes })
  }
  return { address: href, show }
}
