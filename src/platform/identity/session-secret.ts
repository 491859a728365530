import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#src/platform/config/config.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'

/** The length of 32 bytes in base64url. */
const LENGTH = 43

/**
 * The session secrets from the settings. In development without any, a secret is generated once and stored under
 * `DATA_DIR`, readable only by its owner.
 */
export async function sessionSecrets({
  authentication,
  dataFolder,
}: Pick<Config, 'authentication' | 'dataFolder'>): Promise<readonly string[]> {
  if (authentication.sessionSecrets.length > 0) return authentication.sessionSecrets
  const file = path.join(dataFolder, 'session-secret')
  const stored = await readFile(file, 'utf8').catch(() => '')
  if (stored.length >= LENGTH) return [stored]
  // A file cut short by a power failure is not a secret; replacing it ends the sessions it signed.
  if (existsSync(file)) await rm(file, { force: true })
  return [await storeNewSecret(file)]
}

/** The file appears atomically and never replaces another one, so concurrent processes use the same secret. */
async function storeNewSecret(file: string): Promise<string> {
  makePrivateFolder(path.dirname(file))
  const temporary = `${file}.${randomUUID()}`
  try {
    await writeFile(temporary, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    await link(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return readFile(file, 'utf8')
}
