import type { ReadFields } from '../rows/row-reader.ts'
import type { ConflictKind, ImportReport, OnConflict } from '../schema.ts'
import { compareEvidence, type Evidence, evidenceOf } from './evidence.ts'
import type { WebsiteOwner } from './existing.ts'
import type { FileCompany } from './file-company.ts'

/** A company that a company of the file may be: an existing one, or another one of the file. */
export type Candidate = { existing: WebsiteOwner } | { other: FileCompany }

/** Why the match of a company of the file is ambiguous. */
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

/** Something that may be the same company as one of the file. */
export interface Rival {
  candidate: Candidate
  evidence: Evidence
}

/** The other companies in the file and in the database. */
export interface Surroundings {
  /** With its name. */
  rivals: Iterable<Rival>
  /** With its website, but another name. */
  neighbors: readonly Candidate[]
  /** With its name, and taken by a company further down in the file. */
  laterRivals: Iterable<Rival>
}

/** No more are compared: a report shows only some, and a name may have thousands. */
const MAX_CANDIDATES = 6

/**
 * The conflict of a company of the file that is none of the existing ones; undefined if it is clearly a new one.
 */
export function conflictOf(
  company: FileCompany,
  { rivals, neighbors, laterRivals }: Surroundings,
  isShared: (site: string) => boolean,
  { onConflict, byRow }: ConflictPolicy,
): Conflict | undefined {
  const first = rivalsIn(company, rivals, isShared)
  const [kind, candidates] =
    first ??
    (neighbors.length > 0 ? ['website' as const, [...neighbors]] : undefined) ??
    rivalsIn(company, laterRivals, isShared) ??
    []
  const { name, firstRow: row, evidence } = company
  const decision = byRow.get(row) ?? onConflict
  return kind && candidates && { row, name, evidence: { ...evidence }, kind, candidates, decision }
}

function rivalsIn(
  company: FileCompany,
  rivals: Iterable<Rival>,
  isShared: (site: string) => boolean,
): [kind: ConflictKind, candidates: Candidate[]] | undefined {
  const alike: Candidate[] = []
  const contradicting: Candidate[] = []
  for (const { candidate, evidence } of rivals) {
    const { relation } = compareEvidence(company.evidence, evidence, isShared)
    if (relation === 'conflict') contradicting.push(candidate)
    else if (relation !== 'different') alike.push(candidate)
    if (alike.length + contradicting.length >= MAX_CANDIDATES) break
  }
  if (alike.length > 0) return ['ambiguous', alike]
  return contradicting.length > 0 ? ['name', contradicting] : undefined
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

/** The open question, as a sentence. */
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
  return `The row may be about "${name}"${where} or another company of this name, and does not tell them apart.`
}

function isSpelledDifferently({ evidence, candidates: [first] }: Conflict): boolean {
  if (!first) return false
  const other = 'other' in first ? first.other.evidence : evidenceOf(first.existing)
  return other.spelling !== evidence.spelling
}
