import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { PSEUDONYM, pseudonymsIn } from '#src/platform/identity/pseudonym.ts'

const BATCH_ROWS = 1000

/** An entry that is known to be authentic, such as the last one of an earlier check. */
export interface KnownEntry {
  position: number
  hash: string
}

/** The result of a check. `last` is the last entry if all are intact. */
export type Verification =
  | { intact: true; entries: number; last: KnownEntry | undefined }
  | { intact: false; position: number; id: string | undefined; error: string }

interface ChainedEntry {
  position: number
  id: string
  at: number
  event: string
  request_id: string
  /** User, address, browser and details, as text. */
  personal: (string | null)[]
  salts: (string | null)[]
  digests: string[]
  hash: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hashOf = (previous: string, { position, id, at, event, request_id, digests }: ChainedEntry): string =>
  sha256([previous, position, id, at, event, request_id, digests.join(' ')].join('\n'))

const digestOf = (salt: string, value: string | null): string =>
  sha256(salt + (value === null ? '' : `=${value}`))

/**
 * Checks every entry: that none was changed, removed or inserted, and that values which are not covered by a hash
 * were replaced by an erasure that the log itself records. Removed entries at the end only show with `known`.
 */
export async function verifyAuditLog(db: Db, known?: KnownEntry): Promise<Verification> {
  const erased = new ErasedEntries()
  let last: KnownEntry | undefined
  for await (const entry of entries(db)) {
    const expected = (last?.position ?? 0) + 1
    const error =
      (entry.position !== expected && `entry ${expected} is missing`) ||
      errorOf(last?.hash ?? '', entry) ||
      (known?.position === entry.position && known.hash !== entry.hash && 'it is not the known entry') ||
      erased.add(entry)
    if (error) return { intact: false, position: entry.position, id: entry.id, error }
    last = { position: entry.position, hash: entry.hash }
  }
  const count = last?.position ?? 0
  if (known && known.position > count)
    return { intact: false, position: known.position, id: undefined, error: 'it is missing' }
  const unrecorded = erased.unrecorded()
  return unrecorded ? { intact: false, ...unrecorded } : { intact: true, entries: count, last }
}

function errorOf(previous: string, entry: ChainedEntry): string | undefined {
  if (entry.hash !== hashOf(previous, entry)) return 'its hash does not match'
  const isChanged = entry.digests.some((digest, n) => {
    const salt = entry.salts[n] ?? null
    return salt !== null && digest !== digestOf(salt, entry.personal[n] ?? null)
  })
  return isChanged ? 'its content does not match its hash' : undefined
}

async function* entries(db: Db): AsyncGenerator<ChainedEntry> {
  for (let after = 0; ; ) {
    const { rows } = await sql<ChainedEntry>`
      select position::float8, id, (extract(epoch from at) * 1000)::float8 as at, event,
        coalesce(request_id, '') as request_id, array[user_email, address, browser, details::text] as personal,
        salts, digests, hash
      from audit_entries where position > ${after} order by position limit ${BATCH_ROWS}`.execute(db)
    yield* rows
    if (rows.length < BATCH_ROWS) return
    after = rows.at(-1)?.position ?? 0
  }
}

/** Counts the entries that each erasure replaced values in, and how many the `user_erased` entries name. */
class ErasedEntries {
  readonly #replaced = new Map<string, { count: number; position: number; id: string }>()
  readonly #recorded = new Map<string, number>()

  /** Returns the error of an entry whose values were replaced by something else than a pseudonym. */
  add({ position, id, event, personal, salts }: ChainedEntry): string | undefined {
    if (event === 'user_erased') this.#record(personal[3] ?? '{}')
    if (!salts.includes(null)) return undefined
    const pseudonyms = pseudonymsIn(personal.filter((_value, n) => salts[n] === null).join(' '))
    if (pseudonyms.size === 0) return 'it was changed without an erasure'
    for (const pseudonym of pseudonyms) {
      const { count } = this.#replaced.get(pseudonym) ?? { count: 0 }
      this.#replaced.set(pseudonym, { count: count + 1, position, id })
    }
    return undefined
  }

  /** The last entry of a person of whom more entries were changed than an erasure recorded. */
  unrecorded(): { position: number; id: string; error: string } | undefined {
    for (const [pseudonym, { count, position, id }] of this.#replaced) {
      const recorded = this.#recorded.get(pseudonym) ?? 0
      const error = `${count} entries were changed to ${pseudonym}, and an erasure of ${recorded} is recorded`
      if (count > recorded) return { position, id, error }
    }
    return undefined
  }

  #record(details: string): void {
    const { pseudonym, audit_entries } = JSON.parse(details)
    if (PSEUDONYM.test(pseudonym)) this.#recorded.set(pseudonym, audit_entries)
  }
}
