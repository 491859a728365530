import { createKeyring } from '#src/platform/encryption/keyring.ts'
import { readSecretsStatus, type SecretsStatus } from '#src/platform/encryption/sealed-columns.ts'
import { sessionSecrets } from '#src/platform/identity/session-secret.ts'
import { SEALED_COLUMNS } from '#src/sealed-columns.ts'
import { withDatabase } from './open-database.ts'
import { readConfig } from './read-config.ts'

/**
 * `secrets status`: counts the encrypted secrets in the database by the key that they need.
 * @returns the exit status: 0 if previous keys can be removed, else 1
 */
export async function secretsStatusCommand(): Promise<number> {
  const config = readConfig()
  const keyring = createKeyring(config.encryption, await sessionSecrets(config))
  const status = await withDatabase((db) => readSecretsStatus(db, keyring, SEALED_COLUMNS))
  for (const line of linesOf(status, keyring.currentId)) console.log(line)
  return status.previous + status.plain + status.missing.size > 0 ? 1 : 0
}

function linesOf({ current, previous, plain, missing }: SecretsStatus, currentId: string): string[] {
  const lines = [`Encrypted with the current key (${currentId}): ${current}.`]
  if (previous > 0)
    lines.push(`Encrypted with previous keys: ${previous}. The running service encrypts them again.`)
  if (plain > 0) lines.push(`Not encrypted yet: ${plain}. The running service encrypts them.`)
  for (const [id, count] of missing)
    lines.push(
      `Cannot be read, because their key (${id}) is not set: ${count}. Add it to ENCRYPTION_PREVIOUS_KEYS; if it was derived from a SESSION_SECRET, add that after the present one.`,
    )
  if (previous + plain + missing.size === 0) lines.push('Previous keys can be removed.')
  return lines
}
