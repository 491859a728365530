/** `node dev/openapi-document.ts FILE`: writes the OpenAPI document to a file, without a database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buildApp } from '#src/app.ts'
import { createContext } from '#src/context.ts'
import { loadConfig } from '#src/platform/config/config.ts'

const [file] = process.argv.slice(2)
if (!file) throw new Error('Usage: node dev/openapi-document.ts FILE')

const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-openapi-'))
const context = await createContext(
  // Nothing connects until a query runs, so no server has to be there.
  loadConfig({ DATA_DIR: folder, DATABASE_URL: 'postgres://127.0.0.1:1/none', LOG_LEVEL: 'silent' }),
)
try {
  const app = await buildApp(context)
  await app.ready()
  await writeFile(file, `${JSON.stringify(app.swagger(), undefined, 2)}\n`)
  await app.close()
} finally {
  await context.close()
  await rm(folder, { recursive: true, force: true })
}
