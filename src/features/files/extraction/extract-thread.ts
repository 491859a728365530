import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { DAMAGED, NoText } from './limits.ts'
import { type Extraction, type Format, formatOf } from './types.ts'

/** What a thread does: it reads the text of a file, or an attachment of an email. */
export interface Task {
  path: string
  /** The media type of the file. */
  type: string
  attachment?: number
}

type Read = (path: string) => Promise<Extraction>

/** Only the library that is needed is loaded. */
const READERS: Record<Format, () => Promise<Read>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  word: async () => (await import('./word.ts')).readWord,
  presentation: async () => (await import('./presentation.ts')).readPresentation,
  workbook: async () => (await import('./workbook.ts')).readWorkbook,
  text: async () => (await import('./plain-text.ts')).readText,
  html: async () => (await import('./html.ts')).readHtml,
  email: async () => (await import('./email.ts')).readEmail,
  ole: async () => (await import('./ole.ts')).readOle,
  archive: async () => (await import('./archive.ts')).listArchive,
}

const NOT_READ: Extraction = {
  text_state: 'none',
  text_detail: 'Files of this type are not searched.',
  pages: null,
  texts: [],
  details: null,
}

async function readTexts({ path, type }: Task): Promise<Extraction> {
  const format = formatOf(type)
  if (!format) return NOT_READ
  const read = await READERS[format]()
  try {
    return await read(path)
  } catch (error) {
    const { state, message } =
      error instanceof NoText ? error : { state: 'unreadable' as const, message: DAMAGED }
    return { ...NOT_READ, text_state: state, text_detail: message }
  }
}

async function readAttachment(path: string, type: string, index: number): Promise<Uint8Array | null> {
  if (formatOf(type) === 'email')
    return (await (await import('./email.ts')).readEmailAttachment(path, index)) ?? null
  const { readOutlookAttachment } = await import('./outlook-message.ts')
  return readOutlookAttachment(await readFile(path), index) ?? null
}

const task = workerData as Task
parentPort?.postMessage(
  task.attachment === undefined
    ? await readTexts(task)
    : await readAttachment(task.path, task.type, task.attachment),
)
