import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { Conflict, InvalidInput } from '#src/platform/errors.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { companyConditions } from '../selection/conditions.ts'
import { parseSelection, type Selection } from '../selection/selection.ts'

/** Which companies a request is about: ids, or a filter and a search. */
export interface TargetRequest {
  ids?: readonly string[] | undefined
  filter?: unknown
  search?: string | undefined
  expect?: number | undefined
}

/** The companies that a request is about. */
export type Target = { ids: string[] } | { conditions: RawBuilder<unknown>[] }

/**
 * Checks which companies a request is about.
 * @param idsField what the request calls the ids
 * @throws InvalidInput unless it has either ids, or a filter or search
 */
export async function targetOf(
  db: Db,
  caller: FilterCaller,
  { ids, filter, search }: TargetRequest,
  idsField: string,
): Promise<Target> {
  // A search for a space would select nearly every company.
  const hasFilter = (filter ?? search?.trim() ?? '') !== ''
  if (ids && hasFilter)
    throw new InvalidInput(`${idsField} cannot be combined with filter or search. Send one of them.`)
  if (ids) return { ids: [...new Set(ids)] }
  if (!hasFilter) throw new InvalidInput(`${idsField} is required, or a filter.`)
  const selection: Selection = await parseSelection(db, caller, { filter, search })
  return { conditions: companyConditions(selection, 'index') }
}

/**
 * @param found how many companies there are, at most one more than `max`
 * @throws InvalidInput if there are none or too many, Conflict if there are not as many as expected
 */
export function requireExpected(found: number, expect: number | undefined, max: number): void {
  if (found > max)
    throw new InvalidInput(
      `filter must match at most ${max} companies; it matches more. Nothing was changed.`,
    )
  if (expect !== undefined && found !== expect)
    throw new Conflict(`expect is ${expect}, but there are ${found} companies now. Nothing was changed.`)
  if (found === 0) throw new InvalidInput('filter must match at least one company; it matches none.')
}

/**
 * The ids of the companies of a request, oldest first.
 * @throws InvalidInput if there are none or more than `max`, Conflict if there are not as many as expected
 */
export async function readTargetIds(
  db: Db,
  target: Target,
  expect: number | undefined,
  max: number,
): Promise<string[]> {
  if ('ids' in target) {
    if (expect !== undefined) requireExpected(target.ids.length, expect, max)
    return target.ids
  }
  const { rows } = await sql<{ id: string }>`
    select companies.id from companies where ${all(target.conditions)} order by companies.id limit ${max + 1}`.execute(
    db,
  )
  requireExpected(rows.length, expect, max)
  return rows.map(({ id }) => id)
}
