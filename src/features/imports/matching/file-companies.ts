import {
  type CompanyIdentity,
  compareEvidence,
  copyOf,
  type Evidence,
  evidenceKey,
  evidenceOf,
  isSameEvidence,
  ownCopy,
  replacesSite,
} from './evidence.ts'
import { type FileCompany, isIdentified, wholeOf } from './file-company.ts'

/** From this many names on, a website belongs to no company of its own; a page on a shared host from two on. */
const SHARED_DOMAIN_NAMES = 3
const SHARED_PAGE_NAMES = 2
/** More companies with one name are not compared with each other, which would take the square of their number. */
export const MAX_NAMESAKES = 200

/** What is known of who a website belongs to in the file. */
interface SiteUse {
  names: string[]
  /** The first companies with it, in the order of their rows. */
  first: FileCompany
  second: FileCompany | undefined
}

/** Finds out which rows of a file are about the same company, from all of its rows. */
export class FileCompanies {
  readonly #byName = new Map<string, FileCompany[]>()
  /** The companies with names that many have, by name and evidence. */
  readonly #byEvidence = new Map<string, FileCompany>()
  readonly #byId = new Map<string, FileCompany>()
  readonly #byKey = new Map<string, FileCompany>()
  readonly #bySite = new Map<string, SiteUse>()
  /** Of each row in order; undefined: it has no name. */
  readonly #ofRows: (FileCompany | undefined)[] = []
  readonly #sharedSites = new Set<string>()

  /**
   * Takes the next row.
   * @param identity undefined: the row is no company
   * @param id the company's id, in an export of this service
   * @param key the value of the field that identifies companies
   */
  add(row: number, identity: CompanyIdentity | undefined, id?: string, key?: string): void {
    this.#ofRows.push(identity && this.#companyOf(row, identity, id, key))
  }

  /** The company of a row, by its place among the rows that were added. */
  ofRow(index: number): FileCompany | undefined {
    const company = this.#ofRows[index]
    return company && wholeOf(company)
  }

  /** Whether a row of the file says that it is about this company. */
  names(id: string, key: string | undefined): boolean {
    return this.#byId.has(id) || (key !== undefined && this.#byKey.has(key))
  }

  /** Whether several companies use the website, in the file or as `share` says. */
  readonly isShared = (site: string): boolean => this.#sharedSites.has(site)

  /** Marks a website that several existing companies have. */
  share(site: string): void {
    this.#sharedSites.add(site)
  }

  /** The websites in the file that may be a company's own, with their companies: one, or two of different names. */
  *sites(): Generator<{ site: string; companies: FileCompany[] }> {
    for (const [site, { first, second }] of this.#bySite)
      if (!first.evidence.isPage && !this.#sharedSites.has(site))
        yield { site, companies: second ? [wholeOf(first), wholeOf(second)] : [wholeOf(first)] }
  }

  /** The companies of the file with this name, in the order of their rows. */
  withName(name: string): FileCompany[] {
    const companies = new Set((this.#byName.get(name) ?? []).map(wholeOf))
    return [...companies].sort((one, other) => one.firstRow - other.firstRow)
  }

  /** The names that several companies of the file have. */
  *sharedNames(): Generator<string> {
    for (const [name, companies] of this.#byName)
      if (companies.length > 1 && this.withName(name).length > 1) yield name
  }

  /** Takes NA as a placeholder instead of Namibia. */
  forgetNamibia(): void {
    for (const companies of this.#byName.values())
      for (const { evidence } of companies) if (evidence.country === 'NA') evidence.country = null
  }

  /** Call this after the last row: joins rows of one company. */
  join(): void {
    for (const [site, { names, first }] of this.#bySite)
      if (names.length >= (first.evidence.isPage ? SHARED_PAGE_NAMES : SHARED_DOMAIN_NAMES))
        this.#sharedSites.add(site)
    for (const companies of this.#byName.values())
      if (companies.length > 1 && companies.length <= MAX_NAMESAKES) this.#joinNamesakes(companies)
  }

  /** Makes a company of the file part of another. */
  merge(part: FileCompany, whole: FileCompany): void {
    part.partOf = whole
    whole.rows += part.rows
    whole.firstRow = Math.min(whole.firstRow, part.firstRow)
    const [from, to] = [part.evidence, whole.evidence]
    const isLater = (field: 'site' | 'country' | 'city') =>
      from[field] !== null && (to[field] === null || part.saidAt[field] > whole.saidAt[field])
    const hasSite = isLater('site') ? replacesSite(from, to) : !replacesSite(to, from)
    if (hasSite && from.site !== null) take(part, whole, 'site')
    if (isLater('country')) take(part, whole, 'country')
    if (isLater('city')) take(part, whole, 'city')
  }

  #companyOf(row: number, identity: CompanyIdentity, id?: string, key?: string): FileCompany {
    const named = id === undefined ? undefined : this.#byId.get(id)
    const known = named ?? (key === undefined ? undefined : this.#byKey.get(key))
    const evidence = evidenceOf(identity)
    const namesakes = this.#byName.get(evidence.name) ?? []
    const equal =
      known ?? (id === undefined && key === undefined ? this.#withEvidence(namesakes, evidence) : undefined)
    if (equal) {
      equal.rows += 1
      // An identified company may say something else in each row.
      if (known) this.#learn(equal, row, evidence)
      else equal.saidAt = { site: row, country: row, city: row }
      return equal
    }
    const company: FileCompany = {
      ...{ name: ownCopy(identity.name), evidence: copyOf(evidence), id, key, firstRow: row, rows: 1 },
      ...{ saidAt: { site: row, country: row, city: row }, isAmbiguous: false, partOf: undefined },
    }
    if (id !== undefined) this.#byId.set(id, company)
    if (key !== undefined) this.#byKey.set(ownCopy(key), company)
    if (namesakes.length > 0) namesakes.push(company)
    else this.#byName.set(company.evidence.name, [company])
    if (!isIdentified(company) && namesakes.length > FEW) this.#byEvidence.set(evidenceKey(evidence), company)
    this.#noteSite(company)
    return company
  }

  #learn({ evidence, saidAt }: FileCompany, row: number, { site, isPage, country, city }: Evidence): void {
    if (site !== null && replacesSite({ site, isPage }, evidence))
      Object.assign(evidence, { site: ownCopy(site), isPage })
    evidence.country = country ?? evidence.country
    evidence.city = city === null ? evidence.city : ownCopy(city)
    Object.assign(saidAt, { site: row, country: row, city: row })
  }

  #withEvidence(namesakes: FileCompany[], evidence: Evidence): FileCompany | undefined {
    const few = namesakes.length > FEW ? namesakes.slice(0, FEW) : namesakes
    return (
      few.find((other) => !isIdentified(other) && isSameEvidence(other.evidence, evidence)) ??
      (namesakes.length > FEW ? this.#byEvidence.get(evidenceKey(evidence)) : undefined)
    )
  }

  #noteSite(company: FileCompany): void {
    const { site, name } = company.evidence
    if (site === null) return
    const use = this.#bySite.get(site)
    if (!use) this.#bySite.set(site, { names: [name], first: company, second: undefined })
    else if (!use.names.includes(name) && use.names.length < SHARED_DOMAIN_NAMES) {
      use.names.push(name)
      use.second ??= company
    }
  }

  /** Starts with those that say most, so that others complete them. */
  #joinNamesakes(companies: FileCompany[]): void {
    const joined: FileCompany[] = []
    const known = ({ evidence: { site, country, city } }: FileCompany) =>
      [site, country, city].filter((part) => part !== null).length
    for (const company of companies.toSorted(
      (one, other) => known(other) - known(one) || one.firstRow - other.firstRow,
    )) {
      const { best, isAmbiguous } = this.#bestOf(company, joined)
      company.isAmbiguous = isAmbiguous
      if (best) this.merge(company, best)
      else joined.push(company)
    }
  }

  #bestOf(company: FileCompany, others: FileCompany[]): { best?: FileCompany; isAmbiguous: boolean } {
    if (isIdentified(company)) return { isAmbiguous: false }
    const compared = others
      .filter((other) => !isIdentified(other))
      .map((other) => ({
        other,
        ...compareEvidence(company.evidence, other.evidence, this.isShared),
      }))
    const same = compared.find(({ relation }) => relation === 'same')
    if (same) return { best: same.other, isAmbiguous: false }
    const compatible = compared.filter(({ relation }) => relation === 'compatible')
    const most = Math.max(...compatible.map(({ equal }) => equal))
    const [best, rival] = compatible.filter(({ equal }) => equal === most)
    // The name alone is enough when only one company has it.
    const isEnough = most > 0 || compared.filter(isSpelledAs(company)).length === 1
    return best && !rival && isEnough
      ? { best: best.other, isAmbiguous: false }
      : { isAmbiguous: best !== undefined }
  }
}

/** So many are faster to compare than to look up. */
const FEW = 8

const isSpelledAs =
  ({ evidence: { spelling } }: FileCompany) =>
  ({ other }: { other: FileCompany }): boolean =>
    other.evidence.spelling === spelling

function take(from: FileCompany, to: FileCompany, field: 'site' | 'country' | 'city'): void {
  to.evidence[field] = from.evidence[field]
  if (field === 'site') to.evidence.isPage = from.evidence.isPage
  to.saidAt[field] = from.saidAt[field]
}
