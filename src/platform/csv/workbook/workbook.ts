import { Worker } from 'node:worker_threads'
import { InvalidInput, printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { ReplayableFile, TemporaryFile, TemporaryFiles } from '../replayable-file.ts'
import { ENCRYPTED, requireOleWorkbook, requireZipWorkbook } from './workbook-kind.ts'
import type { FromThread, WorkbookTask } from './workbook-thread.ts'

const MB = 1024 * 1024
const MAX_WORKBOOK_BYTES = 50 * MB
const MAX_HEAP_MB = 1024
const MAX_TEXT_BYTES = 1024 * MB
const TIME_LIMIT_MS = 60_000

const SAVE_AS_CSV = 'Save the sheet as CSV (UTF-8), which may be of any size.'
const TOO_LARGE = `The workbook is too large to read. ${SAVE_AS_CSV}`

/** The rows of a sheet. */
export interface ConvertedSheet {
  /** CSV in UTF-8, with commas. The caller closes it. */
  file: TemporaryFile
  sheet: string
  /** All that are not hidden, and the chosen one. */
  sheets: string[]
  warnings: string[]
}

interface WorkbookOptions {
  container: 'zip' | 'ole' | 'xml-workbook'
  sheet?: string | undefined
  temporary: TemporaryFiles
  signal?: AbortSignal | undefined
}

/** One workbook at a time: each may take up to a gigabyte. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Writes a sheet of a workbook as CSV, in a thread with limits.
 * @throws InvalidInput if the file is no workbook, is protected or too large, or has no such sheet
 */
export function convertWorkbook(file: ReplayableFile, options: WorkbookOptions): Promise<ConvertedSheet> {
  const converted = last.then(() => convert(file, options))
  last = converted.catch(() => {})
  return converted
}

async function convert(file: ReplayableFile, options: WorkbookOptions): Promise<ConvertedSheet> {
  options.signal?.throwIfAborted()
  if (file.size > MAX_WORKBOOK_BYTES)
    throw new InvalidInput(`A workbook may have up to ${MAX_WORKBOOK_BYTES / MB} MB. ${SAVE_AS_CSV}`)
  const chunks: Buffer[] = []
  for await (const chunk of file.read()) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (options.container === 'zip') await requireZipWorkbook(bytes, options.signal)
  if (options.container === 'ole') requireOleWorkbook(bytes)
  const thread = new SheetThread({ bytes, sheet: options.sheet }, options.signal)
  const target = await options.temporary.create()
  try {
    const opened = await thread.next()
    if (opened.kind !== 'opened') throw new InvalidInput(messageOf(opened))
    for (;;) {
      const part = await thread.next()
      if (part.kind === 'end') return { file: target, ...opened.workbook, warnings: part.warnings }
      if (part.kind !== 'rows') throw new InvalidInput(messageOf(part))
      if (target.size + part.csv.length > MAX_TEXT_BYTES) throw new InvalidInput(TOO_LARGE)
      await target.append(Buffer.from(part.csv))
    }
  } catch (error) {
    await target.close()
    throw error
  } finally {
    thread.end()
  }
}

function messageOf(answer: FromThread): string {
  if (answer.kind === 'encrypted') return ENCRYPTED
  if (answer.kind === 'empty')
    return 'The workbook has no rows on the sheets that are not hidden. Choose another sheet.'
  if (answer.kind === 'unknown-sheet')
    return `The workbook has no sheet of this name. Its sheets are ${answer.sheets.map(quoted).join(', ')}.`
  const reason = answer.kind === 'unreadable' ? ` (${truncate(printable(answer.reason), 200)})` : ''
  return `The workbook cannot be read${reason}. Open it in a spreadsheet, and save it as XLSX or CSV (UTF-8).`
}

const quoted = (name: string): string => `"${printable(name)}"`

/** The thread that reads a workbook. It continues when the next part is requested. */
class SheetThread {
  readonly #worker: Worker
  readonly #failed: Promise<never>
  readonly #timer: NodeJS.Timeout

  constructor(task: WorkbookTask, signal?: AbortSignal) {
    this.#worker = new Worker(new URL('./workbook-thread.ts', import.meta.url), {
      env: {},
      workerData: task,
      // Not those of the process, which may not suit a file.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const { promise, reject } = Promise.withResolvers<never>()
    this.#failed = promise
    promise.catch(() => {})
    this.#worker.on('error', (error) => reject(isOutOfMemory(error) ? new InvalidInput(TOO_LARGE) : error))
    this.#worker.on('exit', () => reject(new Error('The thread that reads workbooks has ended.')))
    this.#timer = setTimeout(() => {
      reject(
        new InvalidInput(`The workbook takes longer than ${TIME_LIMIT_MS / 1000} s to read. ${SAVE_AS_CSV}`),
      )
    }, TIME_LIMIT_MS)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  }

  async next(): Promise<FromThread> {
    const answer = new Promise<FromThread>((resolve) => this.#worker.once('message', resolve))
    this.#worker.postMessage('next')
    return await Promise.race([answer, this.#failed])
  }

  end(): void {
    clearTimeout(this.#timer)
    void this.#worker.terminate()
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
