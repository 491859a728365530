import { createHash } from 'node:crypto'

/** Hosts where many companies have a page. Their paths tell the companies apart. */
export const SHARED_HOSTS: ReadonlySet<string> = new Set([
  'angel.co',
  'apps.apple.com',
  'crunchbase.com',
  'facebook.com',
  'github.com',
  'instagram.com',
  'linkedin.com',
  'medium.com',
  'play.google.com',
  'sites.google.com',
  'twitter.com',
  'x.com',
  'youtube.com',
])

const MAX_KEY_LENGTH = 300

interface CompanyIdentity {
  name: string
  website?: string | null
  country?: string | null
  country_code?: string | null
}

/**
 * The key that an import matches companies by: the host of the website without `www.`, or the name and country without
 * case, accents and punctuation if there is no website.
 */
export function matchKey({ name, website, country, country_code }: CompanyIdentity): string {
  const key = websiteKey(website) ?? `${fold(name)}|${country_code?.toUpperCase() ?? fold(country ?? '')}`
  // PostgreSQL cannot index values over 2,700 bytes.
  return key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('hex')
}

function websiteKey(website: string | null | undefined): string | undefined {
  if (!website || !URL.canParse(website)) return undefined
  const { hostname, pathname } = new URL(website)
  const host = hostname.replace(/^www\./, '').replace(/\.$/, '')
  if (!SHARED_HOSTS.has(host)) return host || undefined
  const page = pathname.toLowerCase().replace(/\/+$/, '')
  return page ? host + page : undefined
}

function fold(text: string): string {
  const letters = text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  return letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || letters.trim()
}
