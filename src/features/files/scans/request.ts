import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'
import type { VirusScanner } from '#src/platform/virus-scan/virus-scanner.ts'
import { requestScans } from './store.ts'

/**
 * Has all versions of all files scanned again that do not wait for a scan anyway.
 * @returns how many
 * @throws Conflict without a scanner
 */
export function scanAgain(db: Db, scanner: VirusScanner | undefined): Promise<number> {
  if (!scanner)
    throw new Conflict('Files are not scanned for viruses on this server. Set CLAMAV_HOST, and restart it.')
  return requestScans(db)
}
