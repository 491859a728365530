import { NO_REQUEST } from '#src/features/audit/index.ts'
import { eraseContact, exportContact, findContactIds } from '#src/features/privacy/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Moved, NotFound } from '#src/platform/errors.ts'
import { InputError } from './input-error.ts'
import { withDatabase } from './open-database.ts'

/** `person export`: prints everything that is stored about a contact as JSON. Returns the exit status. */
export async function exportContactCommand(target: string): Promise<number> {
  await withDatabase(async (db) => {
    const id = await findId(db, target)
    const parts = await exportContact(db, id, NO_REQUEST).catch(explainMissing)
    for await (const part of parts) process.stdout.write(part)
  })
  process.stdout.write('\n')
  return 0
}

/** `person erase`: removes a contact for good. Returns the exit status. */
export async function eraseContactCommand(
  target: string,
  options: { executives: boolean; also: string[] },
): Promise<number> {
  const { id, erasure } = await withDatabase(async (db) => {
    const found = await findId(db, target)
    return { id: found, erasure: await eraseContact(db, found, options, NO_REQUEST).catch(explainMissing) }
  })
  if (erasure.action_id === null) {
    console.log(`${id} was erased before.`)
    return 0
  }
  console.log(
    `${id} is erased. Notes searched: ${erasure.notes.length}, decisions: ${erasure.decisions.length}, tasks: ${erasure.tasks.length}, files: ${erasure.files.length}. Changed rows:`,
  )
  for (const [table, rows] of Object.entries(erasure.changed)) console.log(`  ${table}: ${rows}`)
  return 0
}

/** @throws InputError unless exactly one person has the address */
async function findId(db: Db, target: string): Promise<string> {
  const text = target.trim()
  if (!text.includes('@')) return text
  const ids = await findContactIds(db, text.toLowerCase())
  if (ids[0] === undefined) throw new InputError(`No person has the email address ${text}.`)
  if (ids.length > 1)
    throw new InputError(
      `Several people have the email address ${text}. Choose one by id: ${ids.join(', ')}.`,
    )
  return ids[0]
}

function explainMissing(error: unknown): never {
  throw error instanceof NotFound || error instanceof Moved
    ? new InputError(error.message, { cause: error })
    : error
}
