import { createHash } from 'node:crypto'
import { newCompany, type StoredCompany } from '#src/features/companies/store.ts'
import { applyPatch } from '#src/features/companies/write.ts'
import { newId } from '#src/platform/ids.ts'
import type { ImportedFields } from './cells.ts'

export interface PendingRow {
  row: number
  cells: string[]
  fields: ImportedFields
  key: string
  /** In an export of this service, the company's id. */
  id: string | undefined
}

/** The companies that a batch may meet. */
export interface Known {
  byId: Map<string, StoredCompany>
  byKey: Map<string, StoredCompany>
}

export interface Plan {
  created: Map<string, StoredCompany>
  updated: Map<string, { company: StoredCompany; changed: string[] }>
  /** The rows to keep as files, by company. */
  sources: Map<string, string[]>
  updates: number
}

/** Decides which company each row of an import is of, and what it changes. */
export class ImportPlanner {
  readonly #dryRun: boolean
  /** In a dry run, fingerprints of the rows that would have been created, by that of their key. */
  readonly #wouldCreate = new Map<number, number>()
  /** Fingerprints of the ids that rows of an export have had so far. */
  readonly #exportedIds = new Set<number>()

  constructor(dryRun: boolean) {
    this.#dryRun = dryRun
  }

  /** The company that a row is of. One that has a row of its own in this export is not met by its key. */
  #companyOf({ id, key }: PendingRow, { byId, byKey }: Known): StoredCompany | undefined {
    const own = id && byId.get(id)
    if (own) return own
    const other = byKey.get(key)
    return other && id && this.#exportedIds.has(fingerprint(other.id)) ? undefined : other
  }

  /** What the rows come to, one after the other: a later row of a batch meets what an earlier one made. */
  plan(rows: PendingRow[], known: Known): Plan {
    const plan: Plan = { created: new Map(), updated: new Map(), sources: new Map(), updates: 0 }
    for (const row of rows) {
      const before = this.#companyOf(row, known)
      if (row.id) this.#exportedIds.add(fingerprint(row.id))
      if (!before) this.#planCreation(row, known, plan)
      else this.#planUpdate(row, before, known, plan)
    }
    return plan
  }

  #planCreation({ id, key, fields, cells }: PendingRow, known: Known, plan: Plan): void {
    if (this.#dryRun && this.#wasPlanned(id ?? key, fields, plan)) return
    const company = newCompany(id ?? newId('cmp'), fields)
    known.byId.set(company.id, company)
    known.byKey.set(key, company)
    plan.created.set(company.id, company)
    plan.sources.set(company.id, cells)
  }

  #planUpdate({ key, fields, cells }: PendingRow, before: StoredCompany, known: Known, plan: Plan): void {
    const { company, changed } = applyPatch(before, fields)
    if (changed.length === 0) return
    plan.updates += 1
    plan.sources.set(company.id, cells)
    known.byId.set(company.id, company)
    known.byKey.set(key, company)
    if (plan.created.has(company.id)) plan.created.set(company.id, company)
    else {
      const earlier = plan.updated.get(company.id)?.changed ?? []
      plan.updated.set(company.id, { company, changed: [...new Set([...earlier, ...changed])] })
    }
  }

  /** In a dry run: whether an earlier batch would have created the company of this key. */
  #wasPlanned(key: string, fields: ImportedFields, plan: Plan): boolean {
    const keyPrint = fingerprint(key)
    const print = fingerprint(JSON.stringify(fields))
    const earlier = this.#wouldCreate.get(keyPrint)
    this.#wouldCreate.set(keyPrint, print)
    if (earlier !== undefined && earlier !== print) plan.updates += 1
    return earlier !== undefined
  }
}

/** 48 bits of a text's hash: a million of them fit into 40 MB. */
const fingerprint = (text: string) => createHash('sha256').update(text).digest().readUIntBE(0, 6)
