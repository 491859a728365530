import { strings } from '#strings/keyboard.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { Company, CompanyPatch, Page } from '#web/api/service.ts'
import { CountChanged, countOf, type MatchingTarget, type Target } from '#web/bulk-actions/target.ts'
import { LISTS } from '#web/fields/company-cache.ts'
import { selection } from './selection.ts'
import type { TagChanges } from './tag-changes.ts'

/** The companies that keys apply to. */
export interface ShortcutTargets {
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

/** The changes that keys make. */
export type Changes = Pick<CompanyPatch, 'status' | 'thesis_id' | 'owner_email'> & TagChanges

export function shortcutTargetsOf(ids: readonly string[], rows: readonly Company[]): ShortcutTargets {
  const shown = new Set(rows.map(({ id }) => id))
  const company = ids.length === 1 ? [...rows, ...loaded()].find(({ id }) => id === ids[0]) : undefined
  return { ids, company, away: ids.filter((id) => !shown.has(id)).length }
}

/** The selected companies. */
export function selected(rows: readonly Company[]): ShortcutTargets {
  const target = selection.target()
  if ('ids' in target) return shortcutTargetsOf(target.ids, rows)
  const ids = rows.map(({ id }) => id).filter(selection.has)
  return { ids, matching: target, away: target.expect - ids.length }
}

/** The same companies, with the count that the error reported. */
export function withNewCount(targets: ShortcutTargets, error: unknown): ShortcutTargets {
  const { ids, matching } = targets
  if (!matching || !(error instanceof CountChanged)) return targets
  const away = Math.max(0, error.count - ids.length)
  return { ...targets, matching: { ...matching, expect: error.count }, away }
}

export const targetOf = ({ ids, matching }: ShortcutTargets): Target => matching ?? { ids }

const loaded = (): Company[] =>
  LISTS.flatMap((queryKey) => queryClient.getQueriesData<Page<Company>>({ queryKey })).flatMap(
    ([, page]) => page?.data ?? [],
  )

/** The company by name, or how many there are. */
export const textOf = (targets: ShortcutTargets): string =>
  targets.company?.name ?? strings.selectedCompanies(countOf(targetOf(targets)), targets.away ?? 0)
