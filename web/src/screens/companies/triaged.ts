import { strings } from '#strings/keyboard.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { Company, CompanyPatch, Page } from '#web/api/service.ts'
import { CountChanged, countOf, type MatchingTarget, type Target } from '#web/bulk-actions/target.ts'
import { LISTS } from '#web/fields/company-cache.ts'
import { selection } from './selection.ts'
import type { TagChanges } from './tag-changes.ts'

/** The companies that keys apply to. */
export interface Triaged {
  ids: readonly string[]
  /** Everything that matches; then the ids are only those on screen. */
  matching?: MatchingTarget
  /** The one company as the user saw it, if there is only one. */
  company?:
    | Pick<Company, 'id' | 'name' | 'tags' | 'status' | 'thesis_id' | 'owner_email' | 'updated_at'>
    | undefined
  /** How many of them are not on screen. */
  away?: number
}

/** What keys change. */
export type Changes = Pick<CompanyPatch, 'status' | 'thesis_id' | 'owner_email'> & TagChanges

export function triagedOf(ids: readonly string[], rows: readonly Company[]): Triaged {
  const shown = new Set(rows.map(({ id }) => id))
  const company = ids.length === 1 ? [...rows, ...loaded()].find(({ id }) => id === ids[0]) : undefined
  return { ids, company, away: ids.filter((id) => !shown.has(id)).length }
}

/** The selected companies. */
export function selected(rows: readonly Company[]): Triaged {
  const target = selection.target()
  if ('ids' in target) return triagedOf(target.ids, rows)
  const ids = rows.map(({ id }) => id).filter(selection.has)
  return { ids, matching: target, away: target.expect - ids.length }
}

/** The same companies, as many as the error found. */
export function recounted(triaged: Triaged, error: unknown): Triaged {
  const { ids, matching } = triaged
  if (!matching || !(error instanceof CountChanged)) return triaged
  const away = Math.max(0, error.count - ids.length)
  return { ...triaged, matching: { ...matching, expect: error.count }, away }
}

export const targetOf = ({ ids, matching }: Triaged): Target => matching ?? { ids }

const loaded = (): Company[] =>
  LISTS.flatMap((queryKey) => queryClient.getQueriesData<Page<Company>>({ queryKey })).flatMap(
    ([, page]) => page?.data ?? [],
  )

/** The company by name, or how many there are. */
export const textOf = (triaged: Triaged): string =>
  triaged.company?.name ?? strings.selectedCompanies(countOf(targetOf(triaged)), triaged.away ?? 0)
