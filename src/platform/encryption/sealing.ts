import type { Logger } from 'pino'
import type { Db } from '#src/platform/database/database.ts'
import { hasSingleConnection } from '#src/platform/database/pinned-connection.ts'
import { type Keyring, missingKey } from './keyring.ts'
import { readSecretsStatus, type SealedColumn, sealStored } from './sealed-columns.ts'

/** By then, a rolling upgrade or a rolling change of the key has replaced all processes. */
const ROLLING_MS = 600_000

interface SealingParts {
  db: Db
  keyring: Keyring
  log: Pick<Logger, 'info' | 'warn'>
}

/**
 * Background work that seals stored secrets with the current key. It logs when it has done so, and at first also how many
 * secrets need a key that is not set.
 * @param delayMs how long other processes may still use the previous key, or store plain text
 */
export function sealing(
  { db, keyring, log }: SealingParts,
  columns: readonly SealedColumn[],
  delayMs = hasSingleConnection(db) ? 0 : ROLLING_MS,
): (stopped?: AbortSignal) => Promise<void> {
  const start = performance.now() + delayMs
  let isChecked = false
  return async (stopped) => {
    if (!isChecked) {
      const { missing } = await readSecretsStatus(db, keyring, columns)
      const secrets = [...missing.values()].reduce((sum, count) => sum + count, 0)
      if (secrets > 0) log.warn({ secrets }, missingKey([...missing.keys()]))
      isChecked = true
    }
    if (performance.now() < start) return
    const secrets = await sealStored(db, keyring, columns, stopped)
    if (secrets === 0) return
    const { previous, plain } = await readSecretsStatus(db, keyring, columns)
    const rest =
      previous + plain > 0 ? `${previous + plain} are left` : 'none needs ENCRYPTION_PREVIOUS_KEYS now'
    log.info({ secrets }, `stored secrets were encrypted with the current key; ${rest}`)
  }
}
