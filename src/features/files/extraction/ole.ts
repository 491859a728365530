import { readFile } from 'node:fs/promises'
import { DAMAGED, NoText } from './limits.ts'
import { readOutlookMessage } from './outlook-message.ts'
import type { Extraction } from './types.ts'
import { readSheets } from './workbook.ts'

const has = (file: Buffer, name: string): boolean => file.includes(Buffer.from(name, 'utf16le'))

/** Reads a file in the format of old Office programs, by the names in its directory: a workbook, or an email of Outlook. */
export async function readOle(path: string): Promise<Extraction> {
  const file = await readFile(path)
  if (has(file, 'EncryptedPackage')) throw new NoText('encrypted', 'It is protected with a password.')
  if (has(file, '__substg1.0_')) return readOutlookMessage(file)
  if (has(file, 'WordDocument')) throw oldFormat('Word 97 to 2003', 'DOCX')
  if (has(file, 'PowerPoint Document')) throw oldFormat('PowerPoint 97 to 2003', 'PPTX')
  if (has(file, 'Workbook') || has(file, 'Book')) return readSheets(file)
  throw new NoText('unreadable', DAMAGED)
}

const oldFormat = (program: string, format: string): NoText =>
  new NoText('none', `The format of ${program} is not read. Save it as ${format} or PDF to search its text.`)
