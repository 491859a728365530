import { type Action, recordAction } from '#src/features/activity/index.ts'
import { companyActivity, insertCompanies } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { NamedCompanies } from '../record-schema.ts'
import { MAX_LISTED_ROWS } from '../schema.ts'
import {
  type CompanyMention,
  type CompanyMentions,
  companyOf,
  type MentionedCompany,
  resolveMentions,
} from './company-mentions.ts'

/** The companies that an import creates, each with the first rows that need it. */
export class NewCompanies {
  readonly #mentions: ReadonlyMap<string, CompanyMention>
  readonly #all: readonly CompanyMention[]
  /** The ids of the companies of planned ids: the same, or that of a company that someone else has created. */
  readonly #stored = new Map<string, string>()
  #pending = new Map<string, string>()
  readonly #names = new Map<string, string>()
  /** The ids of the companies that rows are linked to. */
  readonly #used = new Set<string>()

  constructor(mentions: CompanyMentions) {
    this.#all = mentions.all
    // Of several mentions of a company, the first one counts, but rather one with a website.
    const planned = this.#all
      .toReversed()
      .sort((one, other) => Number(one.website !== null) - Number(other.website !== null))
    this.#mentions = new Map(
      planned.flatMap((mention) => (mention.company ? [[mention.company.id, mention]] : [])),
    )
    for (const { company } of this.#all) if (company) this.#names.set(company.id, company.name)
  }

  nameOf = (id: string): string => this.#names.get(id) ?? id

  /** Remembers that a row is linked to a company. */
  use(id: string): void {
    this.#used.add(id)
  }

  /**
   * Creates those of the companies that do not exist yet, and records it.
   * @returns the ids of the companies by their planned ids
   */
  async create(
    transaction: Db,
    action: Action,
    import_id: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    this.#pending = new Map()
    const wanted = [...new Set(ids)]
    const missing = wanted.flatMap((id) => {
      const mention = this.#mentions.get(id)
      return mention?.isNew && !this.#stored.has(id)
        ? [{ ...mention, company: undefined as MentionedCompany | undefined, planned: id }]
        : []
    })
    await resolveMentions(transaction, missing)
    for (const { planned, company } of missing) {
      this.#pending.set(planned, company?.id ?? planned)
      if (company) this.#names.set(company.id, company.name)
    }
    const created = missing
      .filter(({ company }) => !company)
      .map((mention) => companyOf(mention, mention.planned))
    if (created.length > 0) {
      await insertCompanies(created).execute(transaction)
      const activities = created.map(({ id }) => companyActivity('company_created', id, { import_id }))
      await recordAction(transaction, action, activities)
    }
    return new Map(wanted.map((id) => [id, this.#pending.get(id) ?? this.#stored.get(id) ?? id]))
  }

  /** Call this when the transaction is committed. */
  keep(): void {
    for (const [planned, id] of this.#pending) this.#stored.set(planned, id)
    this.#pending = new Map()
  }

  /** The companies as a report shows them. */
  get report(): NamedCompanies {
    const named = [
      ...Map.groupBy(
        this.#all.filter(({ isGuess }) => !isGuess),
        (one) => one.company?.id ?? one,
      ).values(),
    ]
      .map((mentions) => {
        const [first] = mentions as [CompanyMention, ...CompanyMention[]]
        const rows = mentions.reduce((sum, mention) => sum + mention.rows, 0)
        const row = Math.min(...mentions.map(({ firstRow }) => firstRow))
        const website = mentions.find((mention) => mention.website !== null)?.website ?? null
        return { ...first, rows, row, website }
      })
      .sort((one, other) => one.row - other.row)
    const shown = ({ name, website, row, rows }: (typeof named)[number]) => ({ name, website, row, rows })
    const isUsed = ({ company }: CompanyMention) => company !== undefined && this.#used.has(company.id)
    const created = named.filter((mention) => mention.isNew && isUsed(mention))
    const unknown = named.flatMap((mention) =>
      mention.reason ? [{ ...shown(mention), reason: mention.reason }] : [],
    )
    return {
      created: created.length,
      linked: [...this.#used].filter((id) => !this.#mentions.get(id)?.isNew).length,
      new: created.slice(0, MAX_LISTED_ROWS).map(shown),
      new_omitted: Math.max(0, created.length - MAX_LISTED_ROWS),
      unknown: unknown.slice(0, MAX_LISTED_ROWS),
      unknown_omitted: Math.max(0, unknown.length - MAX_LISTED_ROWS),
    }
  }
}
