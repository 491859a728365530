import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrations } from '#src/migrations/migrations.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { schemaHash } from './template.ts'

/** Held while a template is made. */
const TEMPLATE_LOCK = 7_207_199

/** Creates a database on the server: a copy of the template, else an empty one. */
export async function createDatabase(
  server: string,
  template?: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, (client) =>
    client.query(`create database ${name} ${template ? `template ${template}` : ''}`),
  )
  return {
    url: urlOf(server, name),
    drop: () => administer(server, (client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

const templates = new Map<string, Promise<string>>()

/** The name of a database on the server that is empty and has the current schema. It stays for later runs. */
export function templateOn(server: string): Promise<string> {
  const template = templates.get(server) ?? findOrMakeTemplate(server)
  templates.set(server, template)
  return template
}

async function findOrMakeTemplate(server: string): Promise<string> {
  const name = `test_template_${schemaHash()}`
  await administer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    const unfinished = `${name}_unfinished`
    await client.query(`drop database if exists ${unfinished} with (force)`)
    await client.query(`create database ${unfinished}`)
    const { db, close } = await openDatabase({ databaseUrl: urlOf(server, unfinished), dataFolder: '' })
    await migrate(db, migrations).finally(close)
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function administer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
