import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { recordAudit } from '#src/features/audit/store.ts'
import { isDatabaseDown } from '#src/platform/database/faults.ts'
import { InvalidInput, ServiceError, TooManyRequests, Unavailable } from '#src/platform/errors.ts'
import { BufferedUpload, MAX_MEMORY_BYTES } from '#src/platform/http/buffered-upload.ts'
import { ConcurrencyLimit } from '#src/platform/http/concurrency-limit.ts'
import { DetachedWork } from '#src/platform/http/detached-work.ts'
import { disconnectSignal, isClientGone } from '#src/platform/http/disconnect.ts'
import { callerOf } from '#src/platform/http/rate-limits.ts'
import { ACTION_HEADER } from '#src/platform/http/replies.ts'
import type { UploadFolder } from '#src/platform/http/upload-folder.ts'
import type { ImportParts, RestoreCompanies } from './batch-writer.ts'
import { FORM_LIMITS, readForm, readMapping, unreadableForm } from './form.ts'
import type { Import, ImportAudit } from './import.ts'
import { importCsv } from './import-csv.ts'
import { type ImportedFile, ImportRecord } from './import-record.ts'
import { IndexMerges } from './index-merges.ts'
import {
  type ImportQuery,
  type ImportReport,
  importCompanies,
  MAX_IMPORTS,
  MAX_IMPORTS_PER_USER,
} from './schema.ts'

const RETRY_AFTER_SECONDS = 30

/** A separate plugin, because the import accepts other content types than the other routes. */
export const importRoute =
  (
    { audit, authorize, backgroundDb, customFields, longBatchLength, longDb: db, objects, uploads }: Context,
    restore: RestoreCompanies,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const limit = new ConcurrencyLimit({
      perCaller: MAX_IMPORTS_PER_USER,
      perProcess: MAX_IMPORTS,
      noun: 'imports',
    })
    const running = new DetachedWork(app)
    const indexMerges = backgroundDb === db ? undefined : new IndexMerges(backgroundDb)
    const parts = { db, longBatchLength, customFields, indexMerges, objects, restore, authorize, uploads }
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(/^text\/csv/, (_request, payload, done) => done(null, payload))
    await app.register(multipart, { limits: FORM_LIMITS })

    app.route({
      ...importCompanies,
      // The file waits on the disk, so it may be of any size.
      bodyLimit: Number.MAX_SAFE_INTEGER,
      handler: async (request, reply) => {
        try {
          const source = { request, query: request.query, disconnected: disconnectSignal(reply) }
          const importing = (stopped: AbortSignal) =>
            importRequest(parts, { ...source, stopped }, importAudit(audit, request))
          const report = await limit.run(callerOf(request.user, request.ip), () => running.run(importing))
          if (report.action_id) reply.header(ACTION_HEADER, report.action_id)
          return { data: report }
        } catch (error) {
          if (error instanceof TooManyRequests) reply.header('Retry-After', RETRY_AFTER_SECONDS)
          throw error
        }
      },
    })
  }

/** An interruption may be the database's, so that entry is written in the background. */
const importAudit = (audit: Context['audit'], request: FastifyRequest): ImportAudit => ({
  finished: (transaction, counts) =>
    recordAudit(transaction, request, { event: 'import', details: { ...counts, complete: true } }),
  interrupted: (counts) =>
    audit.record(request, { event: 'import', details: { ...counts, complete: false } }),
})

type Parts = ImportParts & Pick<Context, 'authorize' | 'uploads'>

/** Where an import comes from, and what may end it early. */
interface Source {
  request: FastifyRequest
  query: ImportQuery
  disconnected: AbortSignal
  stopped: AbortSignal
}

async function importRequest(
  { authorize, uploads, ...parts }: Parts,
  source: Source,
  audit: ImportAudit,
): Promise<ImportReport> {
  const { request, query } = source
  const form = request.isMultipart() ? await readForm(request) : undefined
  const file = form?.file ?? (request.body as Readable | undefined)
  if (!file) throw new InvalidInput('The body must be the CSV file.')
  const { dry_run = false, on_trashed = 'skip', mapping } = { ...query, ...form?.settings }
  // As restoring from the trash does.
  if (on_trashed === 'restore') authorize(request.user, 'delete')
  const imported = importedFile(request, query.file_name ?? form?.name)
  const record = new ImportRecord(parts.db, request.user?.email ?? null, imported)
  const upload = new BufferedUpload(file, uploads)
  try {
    requireSpace(uploads, request)
    endEarly(upload, source, dry_run)
    const options = {
      dryRun: dry_run,
      onTrashed: on_trashed,
      mapping: readMapping(mapping),
      audit,
      onStart: async (importing: Import) => {
        if (!dry_run) await record.start(importing)
      },
      authorizeFields: () => authorize(request.user, 'configure'),
    }
    const bytes = counted(upload.read(), imported, form?.expectEnd)
    const report = await importCsv(parts, request.user, bytes, options)
    await record.complete(report)
    return report
  } catch (error) {
    const explained = explainInterruption(error as Error, request)
    await record.interrupt(explained instanceof ServiceError ? explained.message : UNEXPECTED)
    throw explained
  } finally {
    await upload.close()
  }
}

/** @throws Unavailable if the disk has too little space for an upload that announces its size */
function requireSpace(uploads: UploadFolder, { headers }: FastifyRequest): void {
  const bytes = Number(headers['content-length'])
  if (bytes > MAX_MEMORY_BYTES) uploads.requireSpace(bytes)
}

/** An import whose file has arrived does not need its client; a dry run is for its client alone. */
function endEarly(upload: BufferedUpload, { stopped, disconnected }: Source, isDryRun: boolean): void {
  const stopping = new Unavailable(`The service is stopping. ${CONTINUE}`)
  whenAborted(stopped, () => upload.fail(stopping))
  if (!isDryRun) return
  const gone = new InvalidInput('The client disconnected during the dry run.')
  whenAborted(disconnected, () => upload.fail(gone))
}

/** The signal may have been aborted while a form was read. */
function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act)
}

/** The size of a form is not that of its file. */
function importedFile(request: FastifyRequest, name: string | undefined): ImportedFile {
  const length = request.isMultipart() ? Number.NaN : Number(request.headers['content-length'])
  return { name: name || null, bytes: Number.isSafeInteger(length) ? length : null, read: 0 }
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  file: ImportedFile,
  expectEnd?: () => Promise<void>,
): AsyncIterable<Buffer> {
  for await (const chunk of chunks) {
    file.read += chunk.length
    yield chunk
  }
  await expectEnd?.()
}

const UNEXPECTED = 'An unexpected error ended the import.'

const CONTINUE = 'What was imported before stays; import the same file again to continue.'

/** Turns an error in the middle of the file into one that says how to continue. */
function explainInterruption(error: Error, request: FastifyRequest): Error {
  if (error instanceof ServiceError) return error
  if (isClientGone(error))
    return new InvalidInput(`The connection closed before the end of the file. ${CONTINUE}`, { cause: error })
  if (isDatabaseDown(error))
    return new Unavailable(`The database became unreachable. ${CONTINUE}`, { cause: error })
  return request.isMultipart() && /\bform\b|multipart|boundary/i.test(error.message)
    ? unreadableForm(error)
    : error
}
