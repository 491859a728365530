import type { StoredCompany } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { findById, readTrashed, type TrashedCompany } from './existing.ts'
import type { FileCompanies } from './file-companies.ts'
import type { FileCompany } from './file-company.ts'
import { resolveNamesakes } from './resolve.ts'

/** The company in the trash that was found instead of an existing one. */
export interface FoundInTrash {
  /** The company to change; undefined: it stays in the trash. */
  before: StoredCompany | undefined
  isTrashed: boolean
  /** Whether the company was merged into the one to change. */
  isMerged: boolean
}

interface TrashOptions {
  file: FileCompanies
  onTrashed: 'skip' | 'restore'
  dryRun: boolean
  /** Companies as an earlier batch of the dry run would have left them, by id. */
  states: ReadonlyMap<string, StoredCompany>
  /** Brings companies back from the trash. */
  restore(db: Db, ids: string[]): Promise<unknown>
}

/** Looks in the trash for companies of the file: for deleted ones, and for those that were merged into others. */
export async function findInTrash(
  db: Db,
  companies: readonly FileCompany[],
  options: TrashOptions,
): Promise<{ found: Map<FileCompany, FoundInTrash>; restored: ReadonlyMap<string, StoredCompany> }> {
  const found = new Map<FileCompany, FoundInTrash>()
  if (companies.length === 0) return { found, restored: new Map() }
  const trashed = await readTrashed(
    db,
    companies.map(({ name }) => name),
    companies.flatMap(({ id }) => id ?? []),
  )
  if (trashed.length === 0) return { found, restored: new Map() }
  const entries = companies.flatMap((company) => {
    const entry = entryOf(company, trashed, options.file)
    return entry ? [{ company, entry }] : []
  })
  const survivors = entries.flatMap(({ entry }) => entry.survivor ?? [])
  const { dryRun, states } = options
  const kept = await findById(db, survivors, dryRun)
  const keptById = (id: string) => states.get(id) ?? kept.withId(id)
  const deletedSurvivors = await readTrashed(
    db,
    [],
    survivors.filter((id) => !keptById(id)),
  )
  const deleted = new Map<string, StoredCompany>(
    [...trashed, ...deletedSurvivors].map(({ company }) => [company.id, company]),
  )
  const isTrashed = (id: string) => !keptById(id)
  const targetOf = ({ survivor, company }: TrashedCompany) => survivor ?? company.id
  const ids = [...new Set(entries.map(({ entry }) => targetOf(entry)).filter(isTrashed))]
  const restored = options.onTrashed === 'restore' ? await restore(db, ids, deleted, options) : undefined
  for (const { company, entry } of entries) {
    const id = targetOf(entry)
    found.set(company, {
      before: isTrashed(id) ? restored?.get(id) : keptById(id),
      isTrashed: isTrashed(id),
      isMerged: entry.survivor !== null,
    })
  }
  return { found, restored: restored ?? new Map() }
}

/** In a dry run, the companies as they would be. */
async function restore(
  db: Db,
  ids: string[],
  deleted: ReadonlyMap<string, StoredCompany>,
  { dryRun, restore }: TrashOptions,
): Promise<Map<string, StoredCompany>> {
  if (ids.length === 0) return new Map()
  if (!dryRun) await restore(db, ids)
  const existing = dryRun ? undefined : await findById(db, ids, false)
  return new Map(
    ids.flatMap((id) => {
      const company = dryRun ? deleted.get(id) : existing?.withId(id)
      return company ? [[id, company] as const] : []
    }),
  )
}

function entryOf(
  company: FileCompany,
  trashed: readonly TrashedCompany[],
  file: FileCompanies,
): TrashedCompany | undefined {
  const own = company.id && trashed.find((entry) => entry.company.id === company.id)
  if (own) return own
  const namesakes = trashed.filter(
    ({ evidence, company: { id } }) => evidence.name === company.evidence.name && !file.names(id, undefined),
  )
  const match = resolveNamesakes([company], namesakes, file.isShared).get(company)?.match
  return match && namesakes.find((entry) => entry.company === match)
}
