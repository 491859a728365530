import type { Db } from '#src/platform/database/database.ts'
import { endLongTurn } from '#src/platform/event-loop.ts'
import { type Candidate, type Conflict, type ConflictPolicy, conflictOf } from './conflict.ts'
import { nameKey } from './evidence.ts'
import {
  type ExistingCompanies,
  MAX_OWNERS,
  readExisting,
  readWebsiteOwners,
  type WebsiteOwner,
} from './existing.ts'
import { type FileCompanies, type FileCompany, isIdentified, wholeOf } from './file-companies.ts'
import { type Resolution, resolveNamesakes } from './resolve.ts'

const SITES_PER_QUERY = 1000
const NAMES_PER_QUERY = 200

/** What is decided about a company of the file before the first is written. */
export interface Settled {
  /** The existing company that it is; null: it is a new one. */
  companyId: string | null
  conflicts: Conflict[]
}

/**
 * Decides, before the first row is written, about the companies of the file that depend on each other: those that share
 * a name or a website with another one, or a website with an existing company. All others can be decided alone.
 */
export async function settleCompanies(
  db: Db,
  file: FileCompanies,
  policy: ConflictPolicy,
  identifyBy: string | undefined,
): Promise<Map<FileCompany, Settled>> {
  const neighbors = await findNeighbors(db, file)
  const names = new Set(file.sharedNames())
  for (const [company, candidates] of neighbors) {
    names.add(company.evidence.name)
    for (const candidate of candidates)
      names.add('other' in candidate ? candidate.other.evidence.name : nameKey(candidate.existing.name))
  }
  const settling = new Settling(file, neighbors, policy, identifyBy)
  for (const chunk of chunksOf([...names], NAMES_PER_QUERY)) {
    await settling.settle(db, chunk)
    await endLongTurn()
  }
  settling.mergeRest()
  return settling.settled
}

class Settling {
  readonly #file: FileCompanies
  readonly #neighbors: ReadonlyMap<FileCompany, Candidate[]>
  readonly #policy: ConflictPolicy
  readonly #identifyBy: string | undefined
  readonly settled = new Map<FileCompany, Settled>()
  /** The companies of the file that existing ones are, by id. */
  readonly #takers = new Map<string, FileCompany>()
  /** Those that are to update what they are in conflict with. */
  readonly #updating: [FileCompany, Conflict][] = []

  constructor(
    file: FileCompanies,
    neighbors: ReadonlyMap<FileCompany, Candidate[]>,
    policy: ConflictPolicy,
    identifyBy: string | undefined,
  ) {
    this.#file = file
    this.#neighbors = neighbors
    this.#policy = policy
    this.#identifyBy = identifyBy
  }

  async settle(db: Db, names: readonly string[]): Promise<void> {
    const groups = names.map((name) => this.#file.withName(name)).filter(({ length }) => length > 0)
    if (groups.length === 0) return
    const companies = groups.flat()
    const existing = await readExisting(db, {
      names: groups.map(([first]) => (first as FileCompany).name),
      ids: companies.flatMap(({ id }) => id ?? []),
      keys: companies.flatMap(({ key }) => key ?? []),
      identifyBy: this.#identifyBy,
    })
    for (const group of groups) {
      const own = new Map(group.map((company) => [company, existing.named(company)]))
      const open = group.filter((company) => !own.get(company))
      const resolutions = this.#resolve(open, existing)
      for (const company of group) {
        const match = own.get(company) ?? resolutions.get(company)?.match
        if (match) this.#take(company, match.id)
        else if (!isIdentified(company)) {
          const conflict = conflictOf(
            company,
            resolutions.get(company) ?? { ambiguous: [], conflicting: [] },
            {
              namesakes: group,
              neighbors: this.#neighbors.get(company) ?? [],
              isShared: this.#file.isShared,
            },
            this.#policy,
          )
          this.settled.set(company, { companyId: null, conflicts: conflict ? [conflict] : [] })
          if (conflict?.decision === 'update') this.#updating.push([company, conflict])
        } else this.settled.set(company, { companyId: null, conflicts: [] })
      }
    }
  }

  /** Companies with keys of their own have fewer candidates than others with their name. */
  #resolve(open: readonly FileCompany[], existing: ExistingCompanies): Map<FileCompany, Resolution> {
    const groups = Map.groupBy(open, ({ key }) => key !== undefined)
    return new Map(
      [...groups.values()].flatMap((group) => [
        ...resolveNamesakes(
          group,
          existing.namesakesOf(group[0] as FileCompany, this.#file),
          this.#file.isShared,
        ),
      ]),
    )
  }

  #take(company: FileCompany, id: string): void {
    this.settled.set(company, { companyId: id, conflicts: [] })
    this.#takers.set(id, company)
  }

  /** Lets companies update what they are in conflict with, once it is known which company of the file that is. */
  mergeRest(): void {
    for (const [company, conflict] of this.#updating) {
      const target = conflict.candidates[0] as Candidate
      const taker = 'other' in target ? wholeOf(target.other) : this.#takers.get(target.existing.id)
      if (taker === company) continue
      if (taker) {
        this.#file.merge(company, taker)
        const whole = this.settled.get(taker)
        this.settled.delete(company)
        const conflicts = [...(whole?.conflicts ?? []), conflict]
        this.settled.set(taker, { companyId: whole?.companyId ?? null, conflicts })
      } else if ('existing' in target) {
        this.#takers.set(target.existing.id, company)
        this.settled.set(company, { companyId: target.existing.id, conflicts: [conflict] })
      }
    }
  }
}

/** The companies with the website of a company of the file, but with another name. Marks websites that many have. */
async function findNeighbors(db: Db, file: FileCompanies): Promise<Map<FileCompany, Candidate[]>> {
  const neighbors = new Map<FileCompany, Candidate[]>()
  const add = (company: FileCompany, candidate: Candidate) =>
    neighbors.set(company, [...(neighbors.get(company) ?? []), candidate])
  for (const chunk of chunksOf([...file.sites()], SITES_PER_QUERY)) {
    const owners = await readWebsiteOwners(
      db,
      chunk.map(({ site }) => site),
    )
    for (const { site, companies } of chunk) {
      const existing = owners.get(site) ?? []
      if (namesOf(existing, companies).size >= MAX_OWNERS) file.share(site)
      else
        for (const company of companies)
          for (const owner of existing)
            if (nameKey(owner.name) !== company.evidence.name) add(company, { existing: owner })
    }
    await endLongTurn()
  }
  for (const { companies } of file.sites()) {
    const [first, second] = companies
    if (first && second && first.evidence.name !== second.evidence.name) add(...inOrder(first, second))
  }
  return neighbors
}

/** The later one, with the earlier one as its neighbor. */
const inOrder = (one: FileCompany, other: FileCompany): [FileCompany, Candidate] =>
  one.firstRow < other.firstRow ? [other, { other: one }] : [one, { other }]

const namesOf = (owners: readonly WebsiteOwner[], companies: readonly FileCompany[]): Set<string> =>
  new Set([...owners.map(({ name }) => nameKey(name)), ...companies.map(({ evidence }) => evidence.name)])

function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
