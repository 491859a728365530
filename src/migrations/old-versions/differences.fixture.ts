import { normalizeName, normalizeText } from '#src/platform/schema/normalize-text.ts'
import type { Difference } from './compare.fixture.ts'

/** A difference that is meant to be. All others are losses. */
interface Deliberate {
  reason: string
  /** The versions in whose data it occurs. */
  versions: readonly string[]
  request?: RegExp
  at: RegExp
  isAllowed(before: unknown, after: unknown): boolean
}

const ALL = ['0a64061', '81c1a4e', '86a96fe']
const WITH_FIELDS = ['81c1a4e', '86a96fe']
const FIELDS = /^\/api\/fields\?/

const DELIBERATE: readonly Deliberate[] = [
  {
    reason: 'Migration 0036 writes texts in one Unicode form, without invisible characters and odd spaces.',
    versions: ALL,
    at: /\.(name|entity_name|company_name|activity_description|notes|round|summary|remarks|user_name)$/,
    isAllowed: (before, after) =>
      typeof before === 'string' && [normalizeName(before), normalizeText(before)].includes(String(after)),
  },
  {
    reason: 'The sentences of errors are not data.',
    versions: ['0a64061'],
    request: /^\/assets\//,
    at: /^body\.details$/,
    isAllowed: (before, after) => typeof before === 'string' && typeof after === 'string',
  },
  {
    reason: 'A deal without a probability counts with the default of its stage.',
    versions: ['0a64061'],
    request: /^\/api\/dealflow\/stages$/,
    at: /^body\.data\[\]\.expected$/,
    isAllowed: (before, after) => Number(after) >= Number(before),
  },
  {
    reason: 'There are more built-in fields.',
    versions: WITH_FIELDS,
    request: FIELDS,
    at: /^body\.pagination\.total$/,
    isAllowed: (before, after) => Number(after) > Number(before),
  },
  {
    reason: 'Some built-in fields have another label.',
    versions: WITH_FIELDS,
    request: FIELDS,
    at: /^body\.data\.(?!custom\.)\w+\.label$/,
    isAllowed: (before, after) => typeof before === 'string' && typeof after === 'string',
  },
  {
    reason: 'Lists can be sorted by more fields.',
    versions: ['81c1a4e'],
    request: FIELDS,
    at: /\.is_sortable$/,
    isAllowed: (before, after) => before === false && after === true,
  },
  {
    reason: 'That version described the stages without those that were configured.',
    versions: ['81c1a4e'],
    request: FIELDS,
    at: /^body\.data\.(deal_)?stage\.options$/,
    isAllowed: (before, after) => idsOf(before).isSubsetOf(idsOf(after)),
  },
  {
    reason: 'There are more permissions.',
    versions: WITH_FIELDS,
    request: /^\/api\/auth\/me/,
    at: /^body\.data\.permissions$/,
    isAllowed: (before, after) => new Set(before as string[]).isSubsetOf(new Set(after as string[])),
  },
]

const idsOf = (value: unknown) => new Set((value as { id: string }[]).map(({ id }) => id))

/** Sorts out the deliberate differences. */
export function losses(differences: Difference[]): Difference[] {
  return differences.filter((difference) => !DELIBERATE.some((deliberate) => matches(deliberate, difference)))
}

/** The reasons of deliberate differences that the table gives for a version, and of those that occur. */
export function reasonsFor(
  version: string,
  differences: Difference[],
): { listed: string[]; found: string[] } {
  const listed = DELIBERATE.filter(({ versions }) => versions.includes(version))
  const found = DELIBERATE.filter((deliberate) =>
    differences.some((difference) => matches(deliberate, difference)),
  )
  return { listed: listed.map(({ reason }) => reason), found: found.map(({ reason }) => reason) }
}

const matches = ({ request, at, isAllowed }: Deliberate, difference: Difference): boolean =>
  (request === undefined || request.test(difference.request)) &&
  at.test(difference.at) &&
  isAllowed(difference.before, difference.after)
