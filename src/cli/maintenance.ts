import { type KnownEntry, verifyAuditLog } from '#src/features/audit/index.ts'
import { scanDuplicates } from '#src/features/duplicates/index.ts'
import { InputError } from './input-error.ts'
import { withDatabase } from './open-database.ts'

/**
 * `audit verify`: checks that the audit log has not been tampered with.
 * @param known the last entry of an earlier check, as that check printed it
 * @returns the exit status: 0 if the log is intact, else 1
 */
export async function verifyAuditCommand(known: string | undefined): Promise<number> {
  const entry = parseKnown(known)
  const result = await withDatabase((db) => verifyAuditLog(db, entry))
  if (!result.intact) {
    const { position, id, error } = result
    console.log(`The audit log has been changed. Entry ${position}${id ? ` (${id})` : ''}: ${error}.`)
    return 1
  }
  const { entries, last } = result
  console.log(`The audit log is intact: ${entries} entries.`)
  if (last) console.log(`Last entry: ${last.position}:${last.hash}`)
  return 0
}

function parseKnown(text: string | undefined): KnownEntry | undefined {
  if (text === undefined) return undefined
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (position && hash) return { position: Number(position), hash }
  throw new InputError(
    `The entry must be a number, a colon and a hash, as audit verify prints them, not "${text}".`,
  )
}

/** `duplicates scan`: compares all companies with each other. Returns the exit status. */
export async function scanDuplicatesCommand(): Promise<number> {
  const start = performance.now()
  const { companies, duplicates } = await withDatabase(scanDuplicates)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`Compared ${companies} companies in ${seconds} s: ${duplicates} pairs may be duplicates.`)
  return 0
}
