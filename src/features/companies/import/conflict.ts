import type { StoredCompany } from '#src/features/companies/store.ts'
import { compareEvidence, type Evidence, evidenceOf } from './evidence.ts'
import type { WebsiteOwner } from './existing.ts'
import type { FileCompany } from './file-companies.ts'
import type { Resolution } from './resolve.ts'
import type { ReadFields } from './row-reader.ts'
import type { ConflictKind, ImportReport, OnConflict } from './schema.ts'

/** A company that a company of the file may be: an existing one, or another one of the file. */
export type Candidate = { existing: WebsiteOwner } | { other: FileCompany }

/** Why it is open which company a company of the file is. */
export interface Conflict {
  /** The first row of the company in conflict. */
  row: number
  name: string
  evidence: Evidence
  kind: ConflictKind
  /** The most likely one first. */
  candidates: Candidate[]
  decision: OnConflict
}

/** What a person has decided about conflicts. */
export interface ConflictPolicy {
  onConflict: OnConflict
  /** By the first row of the company in conflict. */
  byRow: ReadonlyMap<number, OnConflict>
}

/** What else in the file or in the database may be the same company. */
export interface Surroundings {
  /** The other companies of the file with its name. */
  namesakes: readonly FileCompany[]
  /** Companies with its website, but another name. */
  neighbors: readonly Candidate[]
  isShared: (site: string) => boolean
}

/** The conflict of a company of the file that is none of the existing ones; undefined if it is clearly a new one. */
export function conflictOf(
  company: FileCompany,
  { ambiguous, conflicting }: Pick<Resolution, 'ambiguous' | 'conflicting'>,
  { namesakes, neighbors, isShared }: Surroundings,
  { onConflict, byRow }: ConflictPolicy,
): Conflict | undefined {
  const decision = byRow.get(company.firstRow) ?? onConflict
  const earlier = namesakes.filter(({ firstRow }) => firstRow < company.firstRow)
  const related = (relation: string) =>
    earlier
      .filter((other) => compareEvidence(company.evidence, other.evidence, isShared).relation === relation)
      .map((other) => ({ other }))
  const existing = (companies: readonly StoredCompany[]) => companies.map((one) => ({ existing: one }))
  const alike = company.isAmbiguous
    ? namesakes.filter((other) => other !== company).map((other) => ({ other }))
    : []
  const kinds: [ConflictKind, Candidate[]][] = [
    ['ambiguous', [...existing(ambiguous), ...alike]],
    ['name', [...existing(conflicting), ...related('conflict')]],
    ['website', [...neighbors]],
  ]
  const [kind, candidates] = kinds.find(([, found]) => found.length > 0) ?? []
  const { name, firstRow: row, evidence } = company
  return kind && candidates && { row, name, evidence: { ...evidence }, kind, candidates, decision }
}

const MAX_SHOWN = 5

type Question = ImportReport['questions'][number]

/** Who a company of the file is, as its row writes it. */
export function writtenIdentity(fields: ReadFields | undefined, { site, country, city }: Evidence) {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    website: text(fields?.website) ?? site,
    country: text(fields?.country) ?? text(fields?.country_code) ?? country,
    hq_city: text(fields?.hq_city) ?? city,
  }
}

/**
 * The candidates as a report shows them.
 * @param written how the file writes a candidate
 */
export const shownCandidates = (
  { candidates }: Conflict,
  written: (company: FileCompany) => ReadFields | undefined,
): Question['companies'] =>
  candidates.slice(0, MAX_SHOWN).map((candidate) => {
    if ('other' in candidate) {
      const { name, firstRow, evidence } = candidate.other
      return { id: null, row: firstRow, name, ...writtenIdentity(written(candidate.other), evidence) }
    }
    const { id, name, website, country, country_code, hq_city } = candidate.existing
    return { id, row: null, name, website, country: country ?? country_code, hq_city }
  })

/** What is open, as a sentence. */
export function explainConflict(conflict: Conflict): string {
  const { kind, candidates } = conflict
  const [first] = candidates
  const name = first && ('other' in first ? first.other.name : first.existing.name)
  const where = first && 'other' in first ? ` (row ${first.other.firstRow})` : ''
  if (kind === 'website') return `The website is also that of "${name}"${where}.`
  if (kind === 'name')
    return isSpelledDifferently(conflict)
      ? `"${name}"${where} is spelled differently.`
      : `"${name}"${where} has another city or website.`
  return `Several companies are called "${name}", and the row does not tell them apart.`
}

function isSpelledDifferently({ evidence, candidates: [first] }: Conflict): boolean {
  if (!first) return false
  const other = 'other' in first ? first.other.evidence : evidenceOf(first.existing)
  return other.spelling !== evidence.spelling
}
