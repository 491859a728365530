import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#src/platform/config/config.ts'
import { makePrivateFolder } from '#src/platform/process/private-folder.ts'

/** Of 32 bytes in base64url. */
const LENGTH = 43

/**
 * The secrets of the sessions: those of the settings, else, in development, one that is made once and kept under
 * `DATA_DIR`, readable by its owner only.
 */
export async function sessionSecrets({
  authentication,
  dataFolder,
}: Pick<Config, 'authentication' | 'dataFolder'>): Promise<readonly string[]> {
  if (authentication.sessionSecrets.length > 0) return authentication.sessionSecrets
  const file = path.join(dataFolder, 'session-secret')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.length >= LENGTH) return [kept]
  // What a power cut left is no secret; sessions that it signed end.
  if (existsSync(file)) await rm(file, { force: true })
  return [await keepNewSecret(file)]
}

/** A whole file appears at once, and never in place of another: of two processes both use the first one's. */
async function keepNewSecret(file: string): Promise<string> {
  makePrivateFolder(path.dirname(file))
  const own = `${file}.${randomUUID()}`
  try {
    await writeFile(own, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    await link(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(own, { force: true })
  }
  return readFile(file, 'utf8')
}
