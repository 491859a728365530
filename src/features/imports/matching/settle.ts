import type { StoredCompany } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { chunksOf } from '../batches.ts'
import { type Candidate, type Conflict, type ConflictPolicy, conflictOf, type Rival } from './conflict.ts'
import { type Evidence, evidenceOf, nameKey, updatedEvidence } from './evidence.ts'
import {
  type ExistingCompanies,
  MAX_OWNERS,
  readExisting,
  readWebsiteOwners,
  type WebsiteOwner,
} from './existing.ts'
import { type FileCompanies, MAX_NAMESAKES } from './file-companies.ts'
import { type FileCompany, isIdentified, wholeOf } from './file-company.ts'
import { type Resolution, resolveNamesakes } from './resolve.ts'

const SITES_PER_QUERY = 1000
const NAMES_PER_QUERY = 200

/** The decision about a company of the file, made before the first company is written. */
export interface Settled {
  /** The existing company that it is; null: it is a new one. */
  companyId: string | null
  conflicts: Conflict[]
  /** The ids of the existing companies that were considered. */
  considered: ReadonlySet<string>
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
  for (const chunk of chunksOf([...names], NAMES_PER_QUERY)) await settling.match(db, chunk)
  await settling.decide()
  return settling.settled
}

/** The companies of the file with one name, and the existing ones that they may be. */
interface Group {
  companies: readonly FileCompany[]
  existing: readonly { owner: WebsiteOwner; evidence: Evidence }[]
  considered: ReadonlySet<string>
}

class Settling {
  readonly #file: FileCompanies
  readonly #neighbors: ReadonlyMap<FileCompany, Candidate[]>
  readonly #policy: ConflictPolicy
  readonly #identifyBy: string | undefined
  readonly settled = new Map<FileCompany, Settled>()
  readonly #groups: Group[] = []
  /** By the id of an existing company: the company of the file that it is, and its evidence once that is stored. */
  readonly #taken = new Map<string, { by: FileCompany; stored: Evidence; evidence: Evidence }>()

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

  /** Matches the companies that are unambiguous. */
  async match(db: Db, names: readonly string[]): Promise<void> {
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
      const namesakes = existing.namesakesOf(group[0] as FileCompany, this.#file)
      const considered = new Set(namesakes.map(({ company }) => company.id))
      const resolutions = this.#resolve(
        group.filter((company) => !existing.named(company)),
        existing,
      )
      for (const company of group) {
        const match = existing.named(company) ?? resolutions.get(company)?.match
        this.settled.set(company, { companyId: match?.id ?? null, conflicts: [], considered })
        if (match) this.#take(company, match.id, evidenceOf(match))
      }
      this.#groups.push({
        companies: group,
        considered,
        existing: namesakes
          .slice(0, MAX_NAMESAKES)
          .map(({ company, evidence }) => ({ owner: ownerOf(company), evidence })),
      })
      await yieldToEventLoop()
    }
  }

  /** Decides about the rest, in the order of the rows: each sees what those before it have become. */
  async decide(): Promise<void> {
    for (const group of this.#groups)
      for (const company of group.companies) {
        if (this.settled.get(company)?.companyId !== null || isIdentified(company)) continue
        const conflict = conflictOf(
          company,
          {
            rivals: this.#rivalsOf(company, group),
            neighbors: this.#neighbors.get(company) ?? [],
            laterRivals: this.#takenBy(group, ({ firstRow }) => firstRow > company.firstRow),
          },
          this.#file.isShared,
          this.#policy,
        )
        if (conflict?.decision === 'update') this.#update(company, conflict)
        else if (conflict) this.settled.get(company)?.conflicts.push(conflict)
        await yieldToEventLoop()
      }
  }

  /** Existing companies that no other row is about, then those before it in the file, as they will be stored. */
  *#rivalsOf(company: FileCompany, group: Group): Generator<Rival> {
    for (const { owner, evidence } of group.existing)
      if (!this.#taken.has(owner.id)) yield { candidate: { existing: owner }, evidence }
    yield* this.#takenBy(group, ({ firstRow }) => firstRow < company.firstRow)
    for (const other of group.companies.slice(0, MAX_NAMESAKES)) {
      if (other === company || other.partOf || this.settled.get(other)?.companyId !== null) continue
      const isEarlier = other.firstRow < company.firstRow && !other.isAmbiguous
      if (isEarlier || company.isAmbiguous) yield { candidate: { other }, evidence: other.evidence }
    }
  }

  /** Existing companies that companies of the file are, in the order of these. */
  #takenBy({ existing }: Group, isWanted: (by: FileCompany) => boolean): Rival[] {
    return existing
      .flatMap(({ owner }) => {
        const taken = this.#taken.get(owner.id)
        return taken && isWanted(taken.by) ? [{ owner, taken }] : []
      })
      .sort((one, other) => one.taken.by.firstRow - other.taken.by.firstRow)
      .map(({ owner, taken }) => ({ candidate: { existing: owner }, evidence: taken.evidence }))
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

  #take(company: FileCompany, id: string, stored: Evidence): void {
    const evidence = updatedEvidence(stored, company.evidence)
    this.#taken.set(id, { by: company, stored, evidence })
  }

  /** Merges a company into the one that it is in conflict with. */
  #update(company: FileCompany, conflict: Conflict): void {
    const [target] = conflict.candidates
    const own = this.settled.get(company)
    if (!target || !own) return
    const taken = 'other' in target ? undefined : this.#taken.get(target.existing.id)
    const whole = 'other' in target ? wholeOf(target.other) : taken && wholeOf(taken.by)
    if (whole && whole !== company) {
      this.#file.merge(company, whole)
      this.settled.get(whole)?.conflicts.push(...own.conflicts, conflict)
      this.settled.delete(company)
      if (taken) taken.evidence = updatedEvidence(taken.stored, whole.evidence)
    } else if ('existing' in target) {
      this.settled.set(company, { ...own, companyId: target.existing.id, conflicts: [conflict] })
      this.#take(company, target.existing.id, evidenceOf(target.existing))
    }
  }
}

const ownerOf = ({ id, name, website, country, country_code, hq_city }: StoredCompany): WebsiteOwner => ({
  ...{ id, name, website, country, country_code, hq_city },
})

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
    await yieldToEventLoop()
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
