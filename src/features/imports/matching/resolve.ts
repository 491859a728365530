import type { StoredCompany } from '#src/features/companies/index.ts'
import { type Comparison, compareEvidence, type Evidence, evidenceKey } from './evidence.ts'
import { MAX_NAMESAKES } from './file-companies.ts'
import type { FileCompany } from './file-company.ts'

/** An existing company and its evidence. */
export interface Existing {
  company: StoredCompany
  evidence: Evidence
}

/** Which existing company a company of the file is, or may be. */
export interface Resolution {
  match: StoredCompany | undefined
  /** Whether it may be several existing companies, or several companies of the file may be one. */
  isAmbiguous: boolean
}

interface Claim {
  of: FileCompany
  on: Existing
  strength: number
}

const SAME_SITE = 10

/** null: they cannot be the same company. */
const strengthOf = ({ relation, equal }: Comparison): number | null => {
  if (relation === 'conflict' || relation === 'different') return null
  return relation === 'same' ? SAME_SITE : equal
}

/**
 * Decides which companies of the file are which existing companies. All have the same name. No existing company is taken
 * twice, and none by a company that could as well be another one.
 * @param existing oldest first: of several that are alike, the oldest counts
 */
export function resolveNamesakes(
  companies: readonly FileCompany[],
  existing: readonly Existing[],
  isShared: (site: string) => boolean,
): Map<FileCompany, Resolution> {
  const resolutions = new Map<FileCompany, Resolution>(
    companies.map((company) => [company, { match: undefined, isAmbiguous: false }]),
  )
  const taken = takeEqual(companies, existing, resolutions)
  const open = companies.filter((company) => !resolutions.get(company)?.match).slice(0, MAX_NAMESAKES)
  const claims = open.flatMap((of) =>
    existing.slice(0, MAX_NAMESAKES).flatMap((on): Claim[] => {
      if (taken.has(on)) return []
      const strength = strengthOf(compareEvidence(of.evidence, on.evidence, isShared))
      return strength === null ? [] : [{ of, on, strength }]
    }),
  )
  const settled = new Set<FileCompany>()
  for (const level of [SAME_SITE, 3, 2, 1, 0])
    settleLevel(
      claims.filter(({ of, on, strength }) => strength === level && !settled.has(of) && !taken.has(on)),
      resolutions,
      settled,
      taken,
      namesOf(existing),
    )
  return resolutions
}

/** How many have each spelling of the name. */
function namesOf(existing: readonly Existing[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { evidence } of existing) counts.set(evidence.spelling, (counts.get(evidence.spelling) ?? 0) + 1)
  return counts
}

/** Matches companies with exactly the same evidence. Returns the existing companies that are taken. */
function takeEqual(
  companies: readonly FileCompany[],
  existing: readonly Existing[],
  resolutions: ReadonlyMap<FileCompany, Resolution>,
): Set<Existing> {
  const byEvidence = Map.groupBy(existing, ({ evidence }) => evidenceKey(evidence))
  const taken = new Set<Existing>()
  for (const company of companies) {
    const equal = byEvidence.get(evidenceKey(company.evidence))?.shift()
    if (!equal) continue
    ;(resolutions.get(company) as Resolution).match = equal.company
    taken.add(equal)
  }
  return taken
}

/** Settles the claims of one strength, unless one company could be several, or several could be one. */
function settleLevel(
  claims: readonly Claim[],
  resolutions: ReadonlyMap<FileCompany, Resolution>,
  settled: Set<FileCompany>,
  taken: Set<Existing>,
  names: ReadonlyMap<string, number>,
): void {
  const byCompany = Map.groupBy(claims, ({ of }) => of)
  const byExisting = Map.groupBy(claims, ({ on }) => on)
  for (const { of, on, strength } of claims) {
    if (settled.has(of) && resolutions.get(of)?.match) continue
    const resolution = resolutions.get(of) as Resolution
    // The name alone is enough when only one company has it.
    const isOnlyOne = names.get(of.evidence.spelling) === 1 && !of.isAmbiguous
    const isEnough = strength > 0 || isOnlyOne
    const isClear = isEnough && byCompany.get(of)?.length === 1 && byExisting.get(on)?.length === 1
    if (isClear || (strength === SAME_SITE && !taken.has(on))) {
      resolution.match = on.company
      taken.add(on)
    } else resolution.isAmbiguous = true
    settled.add(of)
  }
}
