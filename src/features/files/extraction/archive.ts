import { truncate } from '#src/platform/truncate.ts'
import { DIRECTIONS } from '../name.ts'
import { MAX_ZIP_ENTRIES, plainText } from './limits.ts'
import type { Extraction } from './types.ts'
import { Archive } from './zip.ts'

const MAX_NAME_LENGTH = 255

/** Lists what is in a ZIP archive. Nothing in it is unpacked. */
export async function listArchive(path: string): Promise<Extraction> {
  const archive = await Archive.open(path)
  const files = archive.contents.filter(({ name }) => !name.endsWith('/'))
  const entries = files.slice(0, MAX_ZIP_ENTRIES).map(({ name, size }) => ({
    name: truncate(plainText(name).replace(DIRECTIONS, '').replaceAll('\n', ' '), MAX_NAME_LENGTH),
    size,
  }))
  return {
    text_state: 'none',
    text_detail: 'The files in an archive are listed, but their text is not searched.',
    pages: null,
    texts: [],
    details: { kind: 'archive', entries, total: files.length },
  }
}
