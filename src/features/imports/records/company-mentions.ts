import { newCompany, type StoredCompany, siteOf } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { newId } from '#src/platform/ids.ts'
import { chunksOf } from '../batches.ts'
import { nameKey } from '../matching/evidence.ts'
import { readExisting, readTrashed, readWebsiteOwners } from '../matching/existing.ts'

/** Domains of providers of mail addresses, which are not those of a person's company. */
const FREE_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com icloud.com me.com ' +
    'mac.com aol.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.com proton.me protonmail.com pm.me ' +
    'fastmail.com hey.com zoho.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it yahoo.co.uk yahoo.fr yahoo.de yahoo.it ' +
    'btinternet.com orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it bluewin.ch yandex.ru mail.ru bk.ru ' +
    'wp.pl o2.pl onet.pl interia.pl seznam.cz comcast.net verizon.net att.net qq.com 163.com 126.com naver.com'
  ).split(' '),
)

const NAMES_PER_QUERY = 500

/** The company that a row names. */
export interface CompanyName {
  /** '' if the row has only a website. */
  name: string
  website: string | null
  /** Its id, in an export of this service. */
  id?: string
}

/** Why a row is not linked to the company that it names. */
export type UnknownReason = 'unknown' | 'ambiguous' | 'in_trash'

/** A company that rows of the file name. */
export interface CompanyMention extends CompanyName {
  /** The domain of the website, or of an email address. */
  readonly site: string | null
  /** Whether only an email address shows the company, so that none is missed if there is none. */
  readonly isGuess: boolean
  readonly firstRow: number
  rows: number
  /** The existing company, or the one to create; undefined: there is none. */
  company: MentionedCompany | undefined
  /** Whether it is to be created. */
  isNew: boolean
  reason: UnknownReason | undefined
}

export type MentionedCompany = Pick<StoredCompany, 'id' | 'name' | 'country_code'>

const REASONS: Readonly<Record<UnknownReason, string>> = {
  unknown: 'No company has this name or website.',
  ambiguous: 'Several companies have this name or website, or the website is that of another company.',
  in_trash: 'The company is in the trash.',
}

/**
 * Why a row is not linked to the company that it names, as sentences.
 * @param effect what happens to the row
 */
export const explainUnknown = (reason: UnknownReason, effect = 'The row was not linked to it.'): string =>
  `${REASONS[reason]} ${effect}`

/** Finds the companies that the rows of a file name, once for the whole file. */
export class CompanyMentions {
  readonly #mentions = new Map<string, CompanyMention>()

  /** Takes a name or a website that a row has. */
  add({ name, website, id }: CompanyName, row: number): CompanyMention {
    const site = siteOf(website)
    const written = { name, website, site: site && !site.isPage ? site.key : null }
    return this.#mention({ ...written, ...(id !== undefined && { id }) }, row, false)
  }

  /** Takes the domain of an email address; undefined if it is that of a provider. */
  addEmail(email: string, row: number): CompanyMention | undefined {
    const site = siteOf(email.slice(email.lastIndexOf('@') + 1))
    if (!site || site.isPage || FREE_MAIL_DOMAINS.has(site.key)) return undefined
    return this.#mention({ name: '', website: null, site: site.key }, row, true)
  }

  #mention(
    written: CompanyName & Pick<CompanyMention, 'site'>,
    row: number,
    isGuess: boolean,
  ): CompanyMention {
    const key = JSON.stringify([nameKey(written.name), written.site, isGuess, written.id])
    const known = this.#mentions.get(key)
    if (known) {
      known.rows += 1
      return known
    }
    const found = { company: undefined, isNew: false, reason: undefined }
    const mention = { ...written, isGuess, firstRow: row, rows: 1, ...found }
    this.#mentions.set(key, mention)
    return mention
  }

  get all(): CompanyMention[] {
    return [...this.#mentions.values()]
  }

  /**
   * Finds the companies in the database.
   * @param create whether companies that do not exist are to be created
   */
  async resolve(db: Db, create: boolean): Promise<void> {
    await resolveMentions(db, this.all)
    if (create) planNew(this.all)
  }
}

/** Finds the existing companies of mentions. Those that are none keep the reason. */
export async function resolveMentions(db: Db, mentions: readonly CompanyMention[]): Promise<void> {
  for (const chunk of chunksOf(mentions, NAMES_PER_QUERY)) {
    const names = chunk.flatMap(({ name }) => name || [])
    const ids = chunk.flatMap(({ id }) => id ?? [])
    const existing = await readExisting(db, { names, ids, keys: [], identifyBy: undefined })
    const owners = await readWebsiteOwners(db, [...new Set(chunk.flatMap(({ site }) => site ?? []))])
    const open: CompanyMention[] = []
    for (const mention of chunk) {
      const found =
        (mention.id === undefined ? undefined : existing.withId(mention.id)) ??
        findExisting(mention, existing.withName(nameKey(mention.name)), owners.get(mention.site ?? '') ?? [])
      if (found === 'ambiguous') mention.reason = mention.isGuess ? undefined : 'ambiguous'
      else if (found) mention.company = found
      else if (!mention.isGuess) open.push(mention)
    }
    await findInTrash(db, open)
  }
}

function findExisting(
  { name, site, isGuess }: CompanyMention,
  namesakes: readonly StoredCompany[],
  owners: readonly MentionedCompany[],
): MentionedCompany | 'ambiguous' | undefined {
  const named = name ? namesakes : []
  const ofSite = owners.filter((owner) => !name || nameKey(owner.name) === nameKey(name))
  if (owners.length === 1 && (isGuess || !name)) return owners[0]
  if (ofSite.length === 1) return ofSite[0]
  if (ofSite.length > 1) return onlyOne(ofSite, name)
  // The website decides before the name: a company may be renamed, but its domain stays.
  if (owners.length === 1 && named.length === 0) return owners[0]
  if (owners.length > 0 && named.length === 0) return 'ambiguous'
  const possible = named.filter(({ website }) => {
    const other = siteOf(website)
    return site === null || other === null || other.isPage || other.key === site
  })
  // The name is that of a company with another website.
  if (possible.length === 0) return named.length > 0 ? 'ambiguous' : undefined
  return onlyOne(possible, name)
}

/** The only company, or the only one that is spelled in the same way. */
function onlyOne(companies: readonly MentionedCompany[], name: string): MentionedCompany | 'ambiguous' {
  const [first, ...others] = companies
  if (first && others.length === 0) return first
  const [exact, ...further] = companies.filter((company) => company.name === name)
  return exact && further.length === 0 ? exact : 'ambiguous'
}

/** A company that was merged into another one is that one. */
async function findInTrash(db: Db, mentions: readonly CompanyMention[]): Promise<void> {
  const trashed = await readTrashed(
    db,
    mentions.flatMap(({ name }) => name || []),
    [],
  )
  const survivors = trashed.flatMap(({ survivor }) => survivor ?? [])
  const kept = await readExisting(db, { names: [], ids: survivors, keys: [], identifyBy: undefined })
  for (const mention of mentions) {
    const entry = mention.name
      ? trashed.find(({ evidence }) => evidence.name === nameKey(mention.name))
      : undefined
    mention.company = entry?.survivor ? kept.withId(entry.survivor) : undefined
    if (!mention.company) mention.reason = entry ? 'in_trash' : 'unknown'
  }
}

/** Plans new companies for the names that none has. A name without a website is that of the only one with a website. */
function planNew(mentions: readonly CompanyMention[]): void {
  const unknown = mentions.filter(({ reason, name }) => reason === 'unknown' && name !== '')
  for (const group of Map.groupBy(unknown, ({ name }) => nameKey(name)).values()) {
    const sites = Map.groupBy(group, ({ site }) => site)
    const withSite = [...sites.values()].filter(([first]) => first?.site !== null)
    const only = withSite.length === 1 ? withSite[0]?.[0] : undefined
    for (const same of sites.values()) {
      const [first] = same
      const own = first?.site === null ? (only ?? first) : first
      if (!own) continue
      own.company ??= { id: newId('cmp'), name: own.name, country_code: null }
      for (const mention of same)
        Object.assign(mention, { company: own.company, isNew: true, reason: undefined })
      Object.assign(own, { isNew: true, reason: undefined })
    }
  }
}

/** A company to create. */
export const companyOf = ({ name, website }: CompanyName, id: string): StoredCompany =>
  newCompany(id, { name, ...(website && { website }) })
