import { useNavigate, useRouter } from '@tanstack/react-router'
import type { MatchesSearch } from './thesis-search.ts'

type Changes = { [K in keyof MatchesSearch]: MatchesSearch[K] | undefined }

/**
 * The address of the matches that are shown, and a function that shows others. Changing anything but the page returns to
 * the first page.
 */
export function useMatchesAddress(thesis: string, search: MatchesSearch) {
  const router = useRouter()
  const navigate = useNavigate()
  const to = '/theses/$id'
  const params = { id: thesis }
  const { href } = router.buildLocation({ to, params, search: { tab: 'matches', ...search } })
  const show = (changes: Changes, replace = false) => {
    const changed = Object.entries({ ...search, page: undefined, ...changes })
    const shown: MatchesSearch = Object.fromEntries(changed.filter(([, value]) => value !== undefined))
    navigate({ to, params, search: { tab: 'matches', ...shown }, replace, resetScroll: 'page' in changes })
  }
  return { address: href, show }
}
