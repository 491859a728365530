import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '#src/platform/database/open.ts'
import { createTables, schemaHash } from './template.ts'

/** The advisory lock held while a template is created. */
const TEMPLATE_LOCK = 7_207_199

/** Creates a database on the server, empty or as a copy of the template. */
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

/** The name of an empty template database with the current schema. It is kept for later runs. */
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
    const database = await openDatabase({ databaseUrl: urlOf(server, unfinished), dataFolder: '' })
    await createTables(database).finally(database.close)
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
