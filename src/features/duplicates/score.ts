import { type DuplicateReason, MIN_DUPLICATE_SCORE } from '#src/features/companies/index.ts'
import type { Identity } from './identity.ts'
import { nameSimilarity } from './similarity.ts'

export interface Match {
  score: number
  reasons: DuplicateReason[]
}

const DOMAIN_EVIDENCE = 0.75
const SAME_NAME_EVIDENCE = 0.9
const SIMILAR_NAME_EVIDENCE = 0.6
/** A company in another country is another company, unless it has the same website. */
const OTHER_COUNTRY_FACTOR = 0.5
const UNKNOWN_COUNTRY_FACTOR = 0.9
/** Companies with the same name and a website each are mostly different, unless the domains only differ in their endings. */
const OTHER_WEBSITE_FACTOR = { same: 0.65, similar: 0.5 }

/** Compares two companies. Returns undefined if they are not possible duplicates. */
export function matchOf(one: Identity, other: Identity): Match | undefined {
  const isSameDomain = one.domain !== null && one.domain === other.domain
  const isOtherCountry = one.country !== null && other.country !== null && one.country !== other.country
  if (isOtherCountry && !isSameDomain) return undefined
  const similarity = nameSimilarity(one.name, other.name)
  if (!isSameDomain && similarity === 0) return undefined
  const reasons: DuplicateReason[] = []
  if (isSameDomain) reasons.push('same_domain')
  if (similarity > 0) reasons.push(similarity === 1 ? 'same_name' : 'similar_name')
  const isSameCountry = one.country !== null && one.country === other.country
  const evidence = [
    isSameDomain ? DOMAIN_EVIDENCE : 0,
    nameEvidence(similarity) *
      (isSameCountry ? 1 : isOtherCountry ? OTHER_COUNTRY_FACTOR : UNKNOWN_COUNTRY_FACTOR) *
      (haveOtherWebsites(one, other) ? OTHER_WEBSITE_FACTOR[similarity === 1 ? 'same' : 'similar'] : 1),
  ]
  const isCertain = isSameDomain && similarity === 1 && isSameCountry
  const score = isCertain ? 1 : 1 - evidence.reduce((doubt, share) => doubt * (1 - share), 1)
  const rounded = Math.round(score * 100) / 100
  return rounded >= MIN_DUPLICATE_SCORE ? { score: rounded, reasons } : undefined
}

const nameEvidence = (similarity: number): number =>
  similarity === 1
    ? SAME_NAME_EVIDENCE
    : similarity === 0
      ? 0
      : SIMILAR_NAME_EVIDENCE + (SAME_NAME_EVIDENCE - SIMILAR_NAME_EVIDENCE) * similarity

/** Whether both have a domain of their own, and the domains differ before the first dot. */
const haveOtherWebsites = (one: Identity, other: Identity): boolean => {
  const [label, otherLabel] = [ownLabel(one), ownLabel(other)]
  return label !== undefined && otherLabel !== undefined && label !== otherLabel
}

const ownLabel = ({ domain }: Identity): string | undefined =>
  domain === null || domain.includes('/') ? undefined : domain.split('.', 1)[0]
