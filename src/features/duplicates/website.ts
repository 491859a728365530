import { getDomain } from 'tldts'
import { SHARED_HOSTS } from '#src/features/companies/store.ts'

/** Further hosts where many companies have a page. Hosts of subdomains, such as github.io, are public suffixes. */
const PAGE_HOSTS = new Set([
  ...SHARED_HOSTS,
  'apple.com',
  'behance.net',
  'bit.ly',
  'bitbucket.org',
  'bloomberg.com',
  'dealroom.co',
  'etsy.com',
  'f6s.com',
  'gitlab.com',
  'glassdoor.com',
  'google.com',
  'indeed.com',
  'indiegogo.com',
  'kickstarter.com',
  'linktr.ee',
  'meetup.com',
  'notion.so',
  'pinterest.com',
  'pitchbook.com',
  'producthunt.com',
  'reddit.com',
  't.me',
  'tiktok.com',
  'trustpilot.com',
  'vimeo.com',
  'wellfound.com',
  'wikipedia.org',
  'xing.com',
  'yelp.com',
])
/** Hosts where companies have a subdomain, and that are no public suffixes. */
const SUBDOMAIN_HOSTS = new Set(['medium.com', 'substack.com', 'tumblr.com', 'jimdofree.com', 'notion.site'])

const MAX_LENGTH = 200

/**
 * What identifies a company in the address of its website: the registrable domain, or the address of its page on a host
 * that many companies share; `null` if the address does not tell.
 */
export function websiteKey(website: string | null | undefined): string | null {
  const text = website?.trim()
  if (!text) return null
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '')
  const domain = getDomain(host, { allowPrivateDomains: true })
  if (!domain) return null
  if (SUBDOMAIN_HOSTS.has(domain) && host !== domain) return host.slice(0, MAX_LENGTH)
  if (!PAGE_HOSTS.has(domain) || (domain === 'apple.com' && host === domain))
    return domain.slice(0, MAX_LENGTH)
  const page = `${url.pathname.toLowerCase().replace(/\/+$/, '')}${url.search}`
  return `${domain}${page}`.slice(0, MAX_LENGTH)
}
