import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { recordAudit } from '#src/features/audit/index.ts'
import { isDatabaseDown } from '#src/platform/database/errors.ts'
import {
  Forbidden,
  InvalidInput,
  ServiceError,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
} from '#src/platform/errors.ts'
import { BufferedUpload, MAX_MEMORY_BYTES } from '#src/platform/http/buffered-upload.ts'
import { DetachedWork } from '#src/platform/http/detached-work.ts'
import { disconnectSignal, isClientGone } from '#src/platform/http/disconnect.ts'
import { errorBody } from '#src/platform/http/error-body.ts'
import { ConcurrencyLimit } from '#src/platform/http/limits/concurrency-limit.ts'
import { callerOf } from '#src/platform/http/limits/rate-limits.ts'
import { ACTION_HEADER } from '#src/platform/http/replies.ts'
import type { Action } from '#src/platform/http/security/permissions.ts'
import type { UploadFolder } from '#src/platform/http/upload-folder.ts'
import { type AccessParts, requireStillAllowed, type User } from '#src/platform/identity/identity.ts'
import type { ImportParts } from './batch-writer.ts'
import { MissingColumn } from './describe-file.ts'
import { FORM_LIMITS, readForm, unreadableForm } from './form.ts'
import {
  COMPANIES,
  DEALS,
  type ImportKind,
  NOTES,
  optionsOf,
  PEOPLE,
  type SharedSettings,
} from './import-kinds.ts'
import type { ImportAudit } from './import-options.ts'
import { ImportRecord, type RunningImport } from './import-record.ts'
import { IndexMerges } from './index-merges.ts'
import { importDeals, importNotes, importPeople, type RecordImportReport } from './record-schema.ts'
import {
  type HeldType,
  type ImportReport,
  importCompanies,
  MAX_IMPORTS,
  MAX_IMPORTS_PER_USER,
} from './schema.ts'

const RETRY_AFTER_SECONDS = 30

/** The content of a file determines its format. */
const FILE_TYPES =
  /^(?:text\/(?:csv|tab-separated-values)|application\/(?:octet-stream|(?:x-)?gzip|vnd\.ms-excel|vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet|vnd\.oasis\.opendocument\.spreadsheet))/

/** A separate plugin, because the import accepts other content types than the other routes. */
export const uploadRoute =
  (context: Context): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { audit, backgroundDb, customFields, longBatchLength, longDb: db, objects } = context
    const limit = new ConcurrencyLimit({
      perCaller: MAX_IMPORTS_PER_USER,
      perProcess: MAX_IMPORTS,
      noun: 'imports',
    })
    const running = new DetachedWork(app)
    const indexMerges = backgroundDb === db ? undefined : new IndexMerges(backgroundDb)
    const { access, authorize, config, uploads } = context
    const written = { db, longBatchLength, customFields, indexMerges, objects }
    const parts = { ...written, access, authorize, config, uploads }
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(FILE_TYPES, (_request, payload, done) => done(null, payload))
    await app.register(multipart, { limits: FORM_LIMITS })

    const importWith =
      <Settings extends SharedSettings>(kind: ImportKind<Settings>) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        const disconnected = disconnectSignal(reply)
        try {
          const source = { request, query: request.query as Settings, disconnected }
          const importing = (stopped: AbortSignal) =>
            importRequest(parts, kind, { ...source, stopped }, importAudit(audit, request, kind.type))
          const report = await limit.run(callerOf(request.user, request.ip), () => running.run(importing))
          if (report.action_id) reply.header(ACTION_HEADER, report.action_id)
          // Compressing a response without a reader would be logged as an error.
          if (disconnected.aborted) request.headers['x-no-compression'] = 'true'
          return { data: report }
        } catch (error) {
          if (error instanceof MissingColumn)
            return reply.code(400).send({ ...errorBody(400, error.message), file: error.file })
          if (error instanceof TooManyRequests) reply.header('Retry-After', RETRY_AFTER_SECONDS)
          throw error
        }
      }
    // The file waits on the disk, so it may be of any size.
    const bodyLimit = Number.MAX_SAFE_INTEGER
    app.route({ ...importCompanies, bodyLimit, handler: importWith(COMPANIES) as never })
    app.route({ ...importPeople, bodyLimit, handler: importWith(PEOPLE) as never })
    app.route({ ...importNotes, bodyLimit, handler: importWith(NOTES) as never })
    app.route({ ...importDeals, bodyLimit, handler: importWith(DEALS) as never })
  }

/** An interruption may be the database's, so that entry is written in the background. */
const importAudit = (audit: Context['audit'], request: FastifyRequest, type: HeldType): ImportAudit => ({
  finished: (transaction, counts) =>
    recordAudit(transaction, request, { event: 'import', details: { type, ...counts, complete: true } }),
  interrupted: (counts) =>
    audit.record(request, { event: 'import', details: { type, ...counts, complete: false } }),
})

type Parts = ImportParts & Pick<Context, 'access' | 'authorize' | 'config' | 'uploads'>

/** Where an import comes from, and what may end it early. */
interface Source<Settings> {
  request: FastifyRequest
  query: Settings
  disconnected: AbortSignal
  stopped: AbortSignal
}

async function importRequest<Settings extends SharedSettings>(
  { access, authorize, config, uploads, ...parts }: Parts,
  kind: ImportKind<Settings>,
  source: Source<Settings>,
  audit: ImportAudit,
): Promise<ImportReport | RecordImportReport> {
  const { request, query } = source
  const form = request.isMultipart() ? await readForm(request, kind.form) : undefined
  const body = form?.file ?? (request.body as Readable | undefined)
  if (!body) throw new InvalidInput('The body must be the file.')
  const upload = new BufferedUpload(body, uploads)
  let record: ImportRecord | undefined
  try {
    requireSpace(uploads, request)
    whenAborted(source.stopped, () => upload.fail(stopping()))
    const file = await upload.whole()
    const settings = { ...query, ...(await form?.settings()) }
    const { dry_run = false, on_trashed = 'skip' } = settings
    // Restoring from the trash needs the same permission.
    const actions = on_trashed === 'restore' ? (['import', 'delete'] as const) : (['import'] as const)
    if (on_trashed === 'restore') authorize(request.user, 'delete')
    const requireAllowed = () => requireAccess({ access, authorize, config }, request.user, actions)
    requireAllowed()
    const imported = { name: settings.file_name ?? form?.name ?? null, bytes: file.size, read: 0 }
    const started = new ImportRecord(parts.db, kind.type, request.user?.email ?? null, imported)
    record = started
    const options = {
      ...optionsOf(settings),
      temporary: uploads,
      ...{ audit, requireAllowed, fileName: imported.name },
      signal: endSignal(source, dry_run),
      onStart: async (importing: RunningImport) => {
        if (!dry_run) await started.start(importing)
      },
      onProgress: (share: number) => {
        imported.read = Math.floor(share * file.size)
      },
      authorizeFields: () => authorize(request.user, 'configure'),
    }
    const report = await kind.run(parts, request.user, file, options, settings)
    await started.complete(report)
    return report
  } catch (error) {
    const explained = explainInterruption(error as Error, request)
    await record?.interrupt(explained instanceof ServiceError ? explained.message : UNEXPECTED)
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

const stopping = () => new Unavailable(`The service is stopping. ${CONTINUE}`)

/** An import continues without its client once the file has arrived; a dry run ends with its client. */
function endSignal({ stopped, disconnected }: Source<unknown>, isDryRun: boolean): AbortSignal {
  const controller = new AbortController()
  whenAborted(stopped, () => controller.abort(stopping()))
  if (isDryRun)
    whenAborted(disconnected, () =>
      controller.abort(new InvalidInput('The client disconnected during the dry run.')),
    )
  return controller.signal
}

/** The signal may have been aborted while a form was read. */
function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act()
  else signal.addEventListener('abort', act)
}

const UNEXPECTED = 'An unexpected error ended the import.'

const STAYS = 'What was imported before stays.'
const CONTINUE = 'What was imported before stays; import the same file again to continue.'

/**
 * Checks that the user may still import: access may end during a long upload, or between two batches.
 * @throws Unauthenticated, Forbidden
 */
function requireAccess(access: AccessParts, user: User | null, actions: readonly Action[]): void {
  try {
    for (const action of actions) requireStillAllowed(access, user, action)
  } catch (error) {
    const Kind = error instanceof Unauthenticated ? Unauthenticated : Forbidden
    throw error instanceof ServiceError
      ? new Kind(`The import was stopped. ${error.message} ${STAYS}`)
      : error
  }
}

/** Adds to an error in the middle of the file how to continue. */
function explainInterruption(error: Error, request: FastifyRequest): Error {
  if (error instanceof ServiceError) return error
  if (isClientGone(error))
    return new InvalidInput('The connection closed before the end of the file. Nothing was imported.', {
      cause: error,
    })
  if (isDatabaseDown(error))
    return new Unavailable(`The database became unreachable. ${CONTINUE}`, { cause: error })
  return request.isMultipart() && /\bform\b|multipart|boundary/i.test(error.message)
    ? unreadableForm(error)
    : error
}
