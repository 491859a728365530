import type { StoredCompany } from '#src/features/companies/index.ts'
import type { CustomFieldMap } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { newId } from '#src/platform/ids.ts'
import { type Conflict, type ConflictPolicy, conflictOf, type Rival } from './matching/conflict.ts'
import { type ExistingCompanies, findSurvivors, lockExisting, readExisting } from './matching/existing.ts'
import type { FileCompanies } from './matching/file-companies.ts'
import { type FileCompany, isIdentified } from './matching/file-company.ts'
import { findInTrash } from './matching/in-trash.ts'
import { type Existing, resolveNamesakes } from './matching/resolve.ts'
import type { Settled } from './matching/settle.ts'
import { customError, type PlannedCompany, planCompany, type ReadCompany } from './plan.ts'

export interface RowNote {
  row: number
  message: string
}

/** What happens to the companies of a batch. */
export interface BatchPlan {
  companies: PlannedCompany[]
  /** The companies in conflict. */
  conflicts: { company: ReadCompany; conflict: Conflict }[]
  /** Rows that are left out because a person decided so. */
  skipped: ReadCompany[]
  /** The companies that stay in the trash, or in a dry run would be restored. */
  trashed: ReadCompany[]
  /** The companies that are restored, by id. */
  restored: ReadonlyMap<string, StoredCompany>
  rejected: RowNote[]
  /** In a dry run: the companies that later batches may change again, as they would be. */
  states: ReadonlyMap<string, StoredCompany>
}

interface PlannerOptions {
  file: FileCompanies
  settled: ReadonlyMap<FileCompany, Settled>
  policy: ConflictPolicy
  /** The key of the custom field that identifies companies. */
  identifyBy: string | undefined
  onTrashed: 'skip' | 'restore'
  dryRun: boolean
  /** Brings companies back from the trash. */
  restore(db: Db, ids: string[]): Promise<unknown>
}

/** The existing company of a company of the file. */
interface Target {
  existing?: StoredCompany | undefined
  conflicts: readonly Conflict[]
}

/** Plans batches: decides which existing company each company of the file is, and what its rows change. */
export class BatchPlanner {
  readonly #options: PlannerOptions
  /** The ids of the settled companies that earlier batches have written. */
  readonly #written = new Set<string>()
  /** A company that is planned again after a rejected batch keeps its id, and with it its source file. */
  readonly #newIds = new WeakMap<FileCompany, string>()
  readonly #states = new Map<string, StoredCompany>()

  constructor(options: PlannerOptions) {
    this.#options = options
  }

  /** @param fields the custom fields, of which new companies need the required ones */
  async plan(db: Db, companies: readonly ReadCompany[], fields: CustomFieldMap): Promise<BatchPlan> {
    const { dryRun, identifyBy } = this.#options
    const existing = await (dryRun ? readExisting : lockExisting)(db, {
      names: companies.map(({ of }) => of.name),
      ids: companies.flatMap(({ of }) => this.#idsOf(of)),
      keys: companies.flatMap(({ of }) => of.key ?? []),
      identifyBy,
    })
    const targets = new Map(companies.map(({ of }) => [of, this.#targetOf(of, existing)]))
    const unmatched = companies.flatMap(({ of }) => (targets.get(of)?.existing ? [] : [of]))
    const { found, restored } = await findInTrash(db, unmatched, { ...this.#options, states: this.#states })
    const plan: BatchPlan = {
      ...{ companies: [], conflicts: [], skipped: [], trashed: [], rejected: [] },
      ...{ restored, states: this.#states },
    }
    // Two companies of the file may be one existing company: itself, and one that was merged into it.
    const states = new Map(this.#states)
    for (const company of companies) {
      const { existing: target, conflicts } = targets.get(company.of) as Target
      const inTrash = found.get(company.of)
      if (inTrash?.isTrashed) plan.trashed.push(company)
      if (inTrash && !inTrash.before) continue
      if (!inTrash) plan.conflicts.push(...conflicts.map((conflict) => ({ company, conflict })))
      if (!inTrash && conflicts.some(({ decision }) => decision === 'skip')) plan.skipped.push(company)
      else
        this.#planOne(company, inTrash?.before ?? target, inTrash?.isMerged ?? false, {
          fields,
          states,
          plan,
        })
    }
    return dryRun ? { ...plan, states: await this.#lasting(db, states, restored) } : plan
  }

  /** Of the planned states, those that a later batch may start from. */
  async #lasting(
    db: Db,
    states: ReadonlyMap<string, StoredCompany>,
    restored: ReadonlyMap<string, StoredCompany>,
  ): Promise<Map<string, StoredCompany>> {
    const survivors = await findSurvivors(db, [...states.keys()])
    return new Map([
      ...restored,
      ...[...states].filter(([id]) => survivors.has(id) || restored.has(id) || this.#states.has(id)),
    ])
  }

  /** Remembers a plan that has been written. */
  keep({ companies, states }: BatchPlan): void {
    if (this.#options.settled.size > 0) for (const { company } of companies) this.#written.add(company.id)
    for (const [id, state] of states) this.#states.set(id, state)
  }

  #planOne(
    { of, rows }: ReadCompany,
    before: StoredCompany | undefined,
    onlyBlank: boolean,
    { fields, states, plan }: PlanParts,
  ): void {
    const current = before && (states.get(before.id) ?? before)
    const error = customError(rows, current, fields)
    if (error) {
      plan.rejected.push(...rows.map(({ row }) => ({ row, message: error.message })))
      return
    }
    const id = of.id ?? this.#newIds.get(of) ?? newId('cmp')
    this.#newIds.set(of, id)
    const planned = planCompany(rows, current, id, {
      ...{ onlyBlank, mayRename: isIdentified(of) },
    })
    if (current) states.set(current.id, planned.company)
    plan.companies.push(planned)
  }

  #idsOf(of: FileCompany): string[] {
    const companyId = this.#options.settled.get(of)?.companyId
    return [of.id, companyId].filter((id) => typeof id === 'string')
  }

  #targetOf(of: FileCompany, existing: ExistingCompanies): Target {
    const { file, settled, policy } = this.#options
    const own = existing.named(of)
    if (own) return { existing: own, conflicts: [] }
    const namesakes = existing.namesakesOf(of, file).filter(({ company }) => !this.#written.has(company.id))
    const decided = settled.get(of)
    if (decided) return settledTarget(of, decided, existing, namesakes, file.isShared)
    const resolution = resolveNamesakes([of], namesakes, file.isShared).get(of)
    if (!resolution || resolution.match) return { existing: resolution?.match, conflicts: [] }
    const conflict = isIdentified(of)
      ? undefined
      : conflictOf(
          of,
          { rivals: namesakes.map(rivalOf), neighbors: [], laterRivals: [] },
          file.isShared,
          policy,
        )
    const [first] = conflict?.candidates ?? []
    const chosen =
      conflict?.decision === 'update' && first && 'existing' in first ? first.existing.id : undefined
    return {
      existing: chosen === undefined ? undefined : existing.withId(chosen),
      conflicts: conflict ? [conflict] : [],
    }
  }
}

interface PlanParts {
  /** The custom fields. */
  fields: CustomFieldMap
  /** Existing companies as they have been planned so far, by id. */
  states: Map<string, StoredCompany>
  plan: BatchPlan
}

const rivalOf = ({ company, evidence }: Existing): Rival => ({ candidate: { existing: company }, evidence })

/** Another import may have created the company since it was settled that it is new. */
function settledTarget(
  of: FileCompany,
  { companyId, conflicts, considered }: Settled,
  existing: ExistingCompanies,
  namesakes: readonly Existing[],
  isShared: (site: string) => boolean,
): Target {
  if (companyId !== null) return { existing: existing.withId(companyId), conflicts }
  const created = namesakes.filter(({ company }) => !considered.has(company.id))
  const match = resolveNamesakes([of], created, isShared).get(of)?.match
  return match ? { existing: match, conflicts: [] } : { conflicts }
}
