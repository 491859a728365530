import { mkdirSync } from 'node:fs'

/** Makes a folder that nobody but its owner may look into, unless it is there. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}
