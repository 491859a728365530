import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { newId } from '#src/platform/ids.ts'
import { freshDatabase } from '#src/testing/database.ts'
import { missingPrerequisite } from './pgvector.ts'

const PACKAGE = { installed: false, superuser: true, trusted: false }
const TRUSTED = { ...PACKAGE, trusted: true }
const CREATING = /^The search index is being created\.$/
const NO_PGVECTOR = /^The database has no pgvector.*create extension vector/

/** A schema that hides the real list of extensions, and a role that may create objects in the database. */
async function offerExtensions(db: Db): Promise<string> {
  const role = newId('key')
  await sql`create role ${sql.id(role)}`.execute(db)
  await sql`create schema offered`.execute(db)
  await sql`
    create table offered.pg_available_extension_versions
      (name text, installed boolean, superuser boolean, trusted boolean)`.execute(db)
  await sql`grant usage on schema offered to public`.execute(db)
  await sql`grant select on offered.pg_available_extension_versions to public`.execute(db)
  await sql`set local search_path = offered, pg_catalog`.execute(db)
  return role
}

test('without an index, its state says whether the service may create pgvector', async () => {
  const { db, close } = await freshDatabase()
  const transaction = await db.startTransaction().execute()
  try {
    const role = await offerExtensions(transaction)
    const offer = async (extension: typeof PACKAGE | undefined) => {
      await sql`delete from pg_available_extension_versions`.execute(transaction)
      if (!extension) return
      const { installed, superuser, trusted } = extension
      await sql`
        insert into pg_available_extension_versions
        values ('vector', ${installed}, ${superuser}, ${trusted})`.execute(transaction)
    }
    const errorAs = async (user: string, extension: typeof PACKAGE | undefined) => {
      await offer(extension)
      await sql`set local role ${sql.id(user)}`.execute(transaction)
      const error = await missingPrerequisite(transaction, ['none'])
      await sql`reset role`.execute(transaction)
      return error ?? ''
    }
    const { rows } = await sql<{ superuser: string; database: string }>`
      select current_user as superuser, current_database() as database`.execute(transaction)
    const [{ superuser, database }] = rows as [(typeof rows)[number]]
    assert.match(await errorAs(superuser, undefined), NO_PGVECTOR)
    assert.match(await errorAs(superuser, PACKAGE), CREATING)
    assert.match(await errorAs(role, TRUSTED), NO_PGVECTOR)
    await sql`grant create on database ${sql.id(database)} to ${sql.id(role)}`.execute(transaction)
    assert.match(await errorAs(role, TRUSTED), CREATING)
    assert.match(await errorAs(role, PACKAGE), NO_PGVECTOR)
    assert.match(await errorAs(role, { ...PACKAGE, superuser: false }), CREATING)
    assert.match(await errorAs(role, { ...PACKAGE, installed: true }), CREATING)
  } finally {
    await transaction.rollback().execute()
    await close()
  }
})
