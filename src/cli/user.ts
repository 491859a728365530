import { sql } from 'kysely'
import { COUNTERS } from '#src/counters.ts'
import { eraseUser, exportUser, readmitUser } from '#src/features/privacy/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import { InputError } from './input-error.ts'
import { withDatabase } from './open-database.ts'
import { readConfig } from './read-config.ts'

/** `user erase`: locks a person out and replaces their email address everywhere. Returns the exit status. */
export async function eraseUserCommand(text: string): Promise<number> {
  const email = parseEmail(text)
  const { authentication } = readConfig()
  if (authentication.adminEmails.includes(email))
    throw new InputError(`${email} is in ADMIN_EMAILS. Remove the address there first.`)
  const erasure = await withDatabase(async (db) => {
    await requireAuditOwner(db)
    return eraseUser(db, COUNTERS, email, authentication).catch(explainConflict)
  })
  if (!erasure) {
    console.log(`Nothing is stored about ${email}.`)
    return 0
  }
  console.log(`${email} is now ${erasure.pseudonym}. Changed rows:`)
  for (const [table, rows] of Object.entries(erasure.changed)) console.log(`  ${table}: ${rows}`)
  return 0
}

/** `user readmit`: lets an erased person sign in again. Returns the exit status. */
export async function readmitUserCommand(text: string): Promise<number> {
  const email = parseEmail(text)
  const isReadmitted = await withDatabase((db) => readmitUser(db, email))
  console.log(
    isReadmitted ? `${email} may sign in again, as a new user, within a minute.` : `${email} was not erased.`,
  )
  return isReadmitted ? 0 : 1
}

/** `user export`: prints everything that is stored about a person as JSON. Returns the exit status. */
export async function exportUserCommand(text: string): Promise<number> {
  const email = parseEmail(text)
  await withDatabase(async (db) => {
    for await (const part of exportUser(db, COUNTERS, email)) process.stdout.write(part)
  })
  return 0
}

function parseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (isEmailAddress(email)) return email
  throw new InputError(`The user must be an email address, not "${text}".`)
}

/** The service itself may run as a role that cannot change the audit log. */
async function requireAuditOwner(db: Db): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege('audit_entries', 'update') as may`.execute(db)
  if (!rows[0]?.may)
    throw new InputError(
      'This database role may not change the audit log. Set DATABASE_URL to a role that may (docs/audit.md).',
    )
}

function explainConflict(error: unknown): never {
  throw error instanceof Conflict ? new InputError(error.message, { cause: error }) : error
}
