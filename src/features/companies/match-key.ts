import { createHash } from 'node:crypto'

/** Hosts under which many companies have a page; there the path tells them apart. */
const SHARED_HOSTS = new Set([
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

interface Identified {
  name: string
  website?: string | null
  country?: string | null
  country_code?: string | null
}

/**
 * The key by which an import knows a company again: the host of its website without `www.`, else its name and
 * country with case, accents and punctuation folded.
 */
export function matchKey({ name, website, country, country_code }: Identified): string {
  const key = websiteKey(website) ?? `${fold(name)}|${country_code?.toUpperCase() ?? fold(country ?? '')}`
  // An index entry holds 2,700 bytes.
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
