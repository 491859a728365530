import { mkdirSync } from 'node:fs'

/** Creates a folder that only its owner can read, unless it exists. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}
