import { createHash } from 'node:crypto'
import { applyPatch, newCompany, type StoredCompany } from '#src/features/companies/store.ts'
import type { CustomValues } from '#src/features/custom-fields/schema.ts'
import {
  type CustomFieldMap,
  missingField,
  requiredFault,
  sizeFault,
} from '#src/features/custom-fields/store.ts'
import type { InvalidInput } from '#src/platform/errors.ts'
import { newId } from '#src/platform/ids.ts'
import type { ImportedFields } from './cells.ts'

export interface PendingRow {
  row: number
  cells: string[]
  fields: ImportedFields
  key: string
  /** In an export of this service, the company's id. */
  id: string | undefined
  /** The id of the company that the row creates. */
  newId?: string
}

/** The existing companies that the rows of a batch may match. */
export interface Known {
  byId: Map<string, StoredCompany>
  byKey: Map<string, StoredCompany>
}

export interface Plan {
  created: Map<string, StoredCompany>
  /** With the company as it is stored. */
  updated: Map<string, { before: StoredCompany; company: StoredCompany; changed: string[] }>
  /** The rows to store as source files, by company id. */
  sources: Map<string, string[]>
  /** Fingerprints of the ids in the rows of an export. */
  exportedIds: Set<number>
  updates: number
  /** The rows that are left out, with the reason. */
  rejected: { row: number; message: string }[]
}

/** Decides which company each row of an import belongs to, and what it changes. */
export class ImportPlanner {
  readonly #dryRun: boolean
  /** In a dry run: fingerprints of the rows that would create a company, by the fingerprint of their key. */
  readonly #wouldCreate = new Map<number, number>()
  /** Fingerprints of the ids in earlier batches of an export. */
  readonly #exportedIds = new Set<number>()

  constructor(dryRun: boolean) {
    this.#dryRun = dryRun
  }

  /** The company of a row. A company that has its own row in this export is not matched by its key. */
  #companyOf({ id, key }: PendingRow, { byId, byKey }: Known, plan: Plan): StoredCompany | undefined {
    const own = id && byId.get(id)
    if (own) return own
    const other = byKey.get(key)
    if (!other || !id) return other
    const otherId = fingerprint(other.id)
    return this.#exportedIds.has(otherId) || plan.exportedIds.has(otherId) ? undefined : other
  }

  /**
   * Plans the rows in order, so that a row can match a company of an earlier row in the same batch.
   * @param fields the custom fields, of which new companies need the required ones
   */
  plan(rows: PendingRow[], known: Known, fields: CustomFieldMap): Plan {
    const plan: Plan = {
      created: new Map(),
      updated: new Map(),
      sources: new Map(),
      exportedIds: new Set(),
      updates: 0,
      rejected: [],
    }
    for (const row of rows) {
      const before = this.#companyOf(row, known, plan)
      if (row.id) plan.exportedIds.add(fingerprint(row.id))
      const fault = customFault(row.fields.custom, before, fields)
      if (fault) plan.rejected.push({ row: row.row, message: fault.message })
      else if (!before) this.#planCreation(row, known, plan)
      else this.#planUpdate(row, before, known, plan)
    }
    return plan
  }

  /** Remembers a plan that has been carried out. */
  keep({ exportedIds }: Plan): void {
    for (const id of exportedIds) this.#exportedIds.add(id)
  }

  #planCreation(row: PendingRow, known: Known, plan: Plan): void {
    const { id, key, fields, cells } = row
    if (this.#dryRun && this.#wasPlanned(id ?? key, fields, plan)) return
    // A row that is planned again after a rejected batch keeps its new id, and with it its source file.
    row.newId ??= id ?? newId('cmp')
    const company = newCompany(row.newId, fields)
    known.byId.set(company.id, company)
    known.byKey.set(key, company)
    plan.created.set(company.id, company)
    plan.sources.set(company.id, cells)
  }

  #planUpdate({ key, fields, cells }: PendingRow, before: StoredCompany, known: Known, plan: Plan): void {
    const custom = { ...before.custom, ...fields.custom }
    const { company, changed } = applyPatch(before, { ...fields, custom })
    if (changed.length === 0) return
    plan.updates += 1
    plan.sources.set(company.id, cells)
    known.byId.set(company.id, company)
    known.byKey.set(key, company)
    if (plan.created.has(company.id)) plan.created.set(company.id, company)
    else {
      const earlier = plan.updated.get(company.id)
      const fields = [...new Set([...(earlier?.changed ?? []), ...changed])]
      plan.updated.set(company.id, { before: earlier?.before ?? before, company, changed: fields })
    }
  }

  /** In a dry run: whether an earlier batch would have created the company with this key. */
  #wasPlanned(key: string, fields: ImportedFields, plan: Plan): boolean {
    const keyPrint = fingerprint(key)
    const print = fingerprint(JSON.stringify(fields))
    const earlier = this.#wouldCreate.get(keyPrint)
    this.#wouldCreate.set(keyPrint, print)
    if (earlier !== undefined && earlier !== print) plan.updates += 1
    return earlier !== undefined
  }
}

/** Why a company cannot have the custom values of a row. */
function customFault(
  custom: CustomValues | undefined,
  before: StoredCompany | undefined,
  fields: CustomFieldMap,
): InvalidInput | undefined {
  if (before) return custom && sizeFault({ ...before.custom, ...custom })
  const missing = missingField(fields, custom ?? {})
  return missing && requiredFault(missing)
}

/** 48 bits of a hash: a million of them take 40 MB. */
const fingerprint = (text: string) => createHash('sha256').update(text).digest().readUIntBE(0, 6)
