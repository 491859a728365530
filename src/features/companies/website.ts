import { getDomain } from 'tldts'

/** Hosts where many companies have a page. Hosts of subdomains, such as github.io, are public suffixes. */
export const SHARED_HOSTS: ReadonlySet<string> = new Set([
  // Profiles and directories
  'about.me',
  'angel.co',
  'behance.net',
  'beacons.ai',
  'bio.link',
  'bloomberg.com',
  'cbinsights.com',
  'clutch.co',
  'companieshouse.gov.uk',
  'company-information.service.gov.uk',
  'crunchbase.com',
  'dealroom.co',
  'dnb.com',
  'dribbble.com',
  'eu-startups.com',
  'f6s.com',
  'g2.com',
  'glassdoor.com',
  'golden.com',
  'gust.com',
  'indeed.com',
  'kompass.com',
  'linkedin.com',
  'linktr.ee',
  'northdata.com',
  'northdata.de',
  'opencorporates.com',
  'owler.com',
  'pitchbook.com',
  'producthunt.com',
  'seedtable.com',
  'startupbase.com.br',
  'startupblink.com',
  'tracxn.com',
  'trustpilot.com',
  'wellfound.com',
  'wikidata.org',
  'wikipedia.org',
  'xing.com',
  'yelp.com',
  'zoominfo.com',
  // Social networks and messengers
  'bsky.app',
  'discord.com',
  'discord.gg',
  'facebook.com',
  'fb.com',
  'fb.me',
  'instagram.com',
  'mastodon.social',
  'ok.ru',
  'pinterest.com',
  'quora.com',
  'reddit.com',
  'slack.com',
  't.me',
  'telegram.me',
  'threads.net',
  'tiktok.com',
  'twitch.tv',
  'twitter.com',
  'vimeo.com',
  'vk.com',
  'wa.me',
  'weibo.com',
  'whatsapp.com',
  'x.com',
  'youtu.be',
  'youtube.com',
  // App stores, shops, and crowdfunding
  'amazon.com',
  'appgallery.huawei.com',
  'apple.com',
  'etsy.com',
  'gofundme.com',
  'google.com',
  'indiegogo.com',
  'kickstarter.com',
  'meetup.com',
  'patreon.com',
  'seedrs.com',
  'steampowered.com',
  'wefunder.com',
  // Code, documents, forms, and files
  'airtable.com',
  'archive.org',
  'bitbucket.org',
  'calendly.com',
  'canva.com',
  'docsend.com',
  'dropbox.com',
  'figma.com',
  'github.com',
  'gitlab.com',
  'goo.gl',
  'huggingface.co',
  'issuu.com',
  'jotform.com',
  'loom.com',
  'medium.com',
  'notion.so',
  'npmjs.com',
  'pypi.org',
  'scribd.com',
  'slideshare.net',
  'sourceforge.net',
  'trello.com',
  'typeform.com',
  'wetransfer.com',
  // Short addresses
  'bit.ly',
  'buff.ly',
  'cutt.ly',
  'is.gd',
  'lnkd.in',
  'ow.ly',
  'rebrand.ly',
  'shorturl.at',
  't.co',
  't.ly',
  'tinyurl.com',
  // News
  'bbc.co.uk',
  'bbc.com',
  'businesswire.com',
  'cnbc.com',
  'economictimes.indiatimes.com',
  'forbes.com',
  'ft.com',
  'globenewswire.com',
  'handelsblatt.com',
  'indiatimes.com',
  'inc42.com',
  'nytimes.com',
  'prnewswire.com',
  'reuters.com',
  'sifted.eu',
  'techcrunch.com',
  'techinasia.com',
  'tech.eu',
  'theverge.com',
  'venturebeat.com',
  'wired.com',
  'wsj.com',
  'yahoo.com',
  'yourstory.com',
])

/** Hosts where companies have a subdomain, and that are no public suffixes. */
const SUBDOMAIN_HOSTS = new Set([
  'carrd.co',
  'jimdofree.com',
  'medium.com',
  'mystrikingly.com',
  'notion.site',
  'softr.app',
  'substack.com',
  'tumblr.com',
  'webnode.com',
  'weebly.com',
])

const MAX_LENGTH = 200

/** What the address of a website says about whose it is. */
export interface Site {
  /** The registrable domain, or the address of a page on a host that many companies share. */
  key: string
  isPage: boolean
}

/** The site of an address; null if it has no domain. */
export function siteOf(website: string | null | undefined): Site | null {
  const text = website?.trim()
  if (!text) return null
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.parse(address)
  if (!url) return null
  const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '')
  const domain = getDomain(host, { allowPrivateDomains: true })
  if (!domain) return null
  const own = (key: string) => ({ key: key.slice(0, MAX_LENGTH), isPage: false })
  if (SUBDOMAIN_HOSTS.has(domain) && host !== domain) return own(host)
  if (!SHARED_HOSTS.has(domain) && !SHARED_HOSTS.has(host)) return own(domain)
  const page = `${url.pathname.toLowerCase().replace(/\/+$/, '')}${url.search}`
  return { key: `${domain}${page}`.slice(0, MAX_LENGTH), isPage: true }
}
