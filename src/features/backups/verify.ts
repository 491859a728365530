import type { Readable } from 'node:stream'
import { readArchive } from './archive.ts'
import type { Header, Manifest } from './manifest.ts'

/**
 * Reads a whole backup and checks every part.
 * @throws BackupRefused if it cannot be restored
 */
export const verifyBackup = (
  input: Readable,
  passphrase: string | undefined,
): Promise<{ header: Header; manifest: Manifest }> => readArchive(input, passphrase)
