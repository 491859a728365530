import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const ROOT = path.join(import.meta.dirname, '..', '..', '..')
const NPM_INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--omit=dev']
const INSTALL_TIMEOUT_MS = 600_000
const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/

/** Why an older version cannot be run here. */
export class NotAvailable extends Error {}

/**
 * Extracts the code of an older version from the history of this repository, with its own dependencies.
 * @param folder where to put it; it is created
 * @returns the file that starts its service
 * @throws NotAvailable if the clone lacks the commit, or the npm registry cannot be reached
 */
export async function extractVersion(commit: string, folder: string): Promise<string> {
  try {
    await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT })
  } catch {
    throw new NotAvailable(`This clone of the repository does not have the commit ${commit}.`)
  }
  await mkdir(folder, { recursive: true })
  const archive = path.join(folder, 'code.tar')
  const parts = ['package.json', 'package-lock.json', 'src', 'dev']
  await run('git', ['archive', '--output', archive, commit, ...parts], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', folder])
  try {
    await run('npm', NPM_INSTALL, { cwd: folder, timeout: INSTALL_TIMEOUT_MS })
  } catch (error) {
    if (UNREACHABLE.test(String(error))) throw new NotAvailable('The npm registry cannot be reached.')
    throw error
  }
  return path.join(folder, 'src', 'main.ts')
}
