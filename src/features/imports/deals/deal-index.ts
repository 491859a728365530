import type { ImportedDeal } from '#src/features/deals/index.ts'
import { normalizedName } from '../columns/normalized-name.ts'
import { type DealKey, mayHaveKey } from './deal-key.ts'

/** A deal of the file or of the database, as planned so far. */
export interface KnownDeal {
  current: ImportedDeal
}

/** What a row says about which deal it is. */
export interface DealIdentity {
  id: string | undefined
  key: DealKey
  /** undefined: no company is known. */
  companyId: string | undefined
  round: string | undefined
  stage: string | undefined
}

/** Finds the deal that a row is about among those that are known. */
export class DealIndex<Known extends KnownDeal> {
  readonly #byId = new Map<string, Known>()
  readonly #byKey = new Map<string, Known>()
  /** The deals of each company that no row of the file is about so far. */
  readonly #free = new Map<string, Set<Known>>()

  /** Adds a deal. */
  add(known: Known): void {
    const { id, import_key, company_id } = known.current
    this.#byId.set(id, known)
    if (import_key !== null) this.#addKey(import_key, known)
    const free = this.#free.get(company_id) ?? new Set()
    this.#free.set(company_id, free.add(known))
  }

  #addKey(text: string, known: Known): void {
    for (const key of [text, keyWithin(known.current.company_id, text)])
      if (!this.#byKey.has(key)) this.#byKey.set(key, known)
  }

  /** Remembers that a row is about a deal, so that rows with other keys are about other deals. */
  claim(known: Known, { text }: DealKey): void {
    this.#free.get(known.current.company_id)?.delete(known)
    if (known.current.import_key === null) this.#addKey(text, known)
  }

  /**
   * The deal of a row: the one with its id or key, or else an open one of its company with the same round, where a blank
   * round may be any. Rather one in the stage of the row.
   */
  find({ id, key, companyId, round, stage }: DealIdentity): Known | undefined {
    const byId = id === undefined ? undefined : this.#byId.get(id)
    if (byId) return byId
    const keyed = this.#byKey.get(key.isUnique ? key.text : keyWithin(companyId ?? '', key.text))
    if (keyed || companyId === undefined) return keyed
    const open = [...(this.#free.get(companyId) ?? [])].filter(({ current: { status, import_key } }) => {
      return status !== 'won' && status !== 'lost' && mayHaveKey(import_key, key)
    })
    const isRound = (other: string | null) => normalizedName(other ?? '') === normalizedName(round ?? '')
    const same = open.filter(({ current }) => isRound(current.round))
    const possible = open.filter(({ current }) => current.round === null || round === undefined)
    const found = same.length > 0 ? same : possible
    return found.find(({ current }) => current.stage === stage) ?? found[0]
  }
}

const keyWithin = (company: string, text: string): string => `${company} ${text}`
