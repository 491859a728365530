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
  readonly #byKey = new Map<string, Known[]>()
  readonly #byCompany = new Map<string, Known[]>()
  /** The keys of the rows of the file that are about deals. */
  readonly #claims = new Map<Known, string>()

  /** Adds a deal. */
  add(known: Known): void {
    const { id, import_key, company_id } = known.current
    this.#byId.set(id, known)
    if (import_key !== null) append(this.#byKey, import_key, known)
    append(this.#byCompany, company_id, known)
  }

  /** Remembers the key of a row about a deal, so that rows with other keys are about other deals. */
  claim(known: Known, { text }: DealKey): void {
    if (this.#claims.has(known)) return
    this.#claims.set(known, text)
    if (known.current.import_key === null) append(this.#byKey, text, known)
  }

  /**
   * The deal of a row: the one with its id or key, or else an open one of its company with the same round, where a blank
   * round may be any. Rather one in the stage of the row.
   */
  find({ id, key, companyId, round, stage }: DealIdentity): Known | undefined {
    const byId = id === undefined ? undefined : this.#byId.get(id)
    if (byId) return byId
    const keyed = (this.#byKey.get(key.text) ?? []).find(
      ({ current }) => key.isUnique || current.company_id === companyId,
    )
    if (keyed || companyId === undefined) return keyed
    const open = (this.#byCompany.get(companyId) ?? []).filter((known) => {
      const { status, import_key } = known.current
      return status !== 'won' && status !== 'lost' && !this.#claims.has(known) && mayHaveKey(import_key, key)
    })
    const isRound = (other: string | null) => normalizedName(other ?? '') === normalizedName(round ?? '')
    const same = open.filter(({ current }) => isRound(current.round))
    const possible = open.filter(({ current }) => current.round === null || round === undefined)
    const found = same.length > 0 ? same : possible
    return found.find(({ current }) => current.stage === stage) ?? found[0]
  }
}

function append<Known>(map: Map<string, Known[]>, key: string, known: Known): void {
  const same = map.get(key)
  if (!same) map.set(key, [known])
  else if (!same.includes(known)) same.push(known)
}
