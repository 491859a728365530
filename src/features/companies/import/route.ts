import type { Readable } from 'node:stream'
import multipart, { type Multipart, type MultipartValue } from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { recordAudit } from '#src/features/audit/store.ts'
import { customKey } from '#src/features/custom-fields/store.ts'
import { isDatabaseDown } from '#src/platform/database/faults.ts'
import { InvalidInput, ServiceError, TooManyRequests, Unavailable } from '#src/platform/errors.ts'
import { isClientGone } from '#src/platform/http/disconnect.ts'
import { callerOf } from '#src/platform/http/rate-limits.ts'
import { ACTION_HEADER } from '#src/platform/http/replies.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import type { ImportParts, RestoreCompanies } from './batch-writer.ts'
import type { ImportMapping } from './columns.ts'
import type { Import, ImportAudit } from './import.ts'
import { importCsv } from './import-csv.ts'
import { type ImportedFile, ImportRecord } from './import-record.ts'
import { runningImports } from './running-imports.ts'
import {
  FieldMapping,
  type ImportQuery,
  type ImportReport,
  importCompanies,
  MAX_FILE_NAME_LENGTH,
  MAX_MAPPING_LENGTH,
  ON_TRASHED,
} from './schema.ts'

const FORM_LIMITS = {
  files: 1,
  fileSize: Number.POSITIVE_INFINITY,
  fields: 5,
  // In bytes: a longer mapping is cut, but stays longer than its limit in characters.
  fieldSize: 3 * MAX_MAPPING_LENGTH + 3,
  parts: 6,
  headerPairs: 50,
}

const RETRY_AFTER_SECONDS = 30

/** A separate plugin, because the import accepts other content types than the other routes. */
export const importRoute =
  (
    { audit, authorize, customFields, longBatchLength, longDb: db, objects }: Context,
    restore: RestoreCompanies,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { limit, stopping } = runningImports(app)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(/^text\/csv/, (_request, payload, done) => done(null, payload))
    await app.register(multipart, { limits: FORM_LIMITS })

    app.route({
      ...importCompanies,
      // The file is streamed, so it may be of any size.
      bodyLimit: Number.MAX_SAFE_INTEGER,
      handler: async (request, reply) => {
        try {
          const parts = { db, longBatchLength, customFields, objects, restore, authorize, stopping }
          const importing = () => importRequest(parts, request, request.query, importAudit(audit, request))
          const report = await limit.run(callerOf(request.user, request.ip), importing)
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

async function importRequest(
  { authorize, stopping, ...parts }: ImportParts & Pick<Context, 'authorize'> & { stopping: AbortSignal },
  request: FastifyRequest,
  query: ImportQuery,
  audit: ImportAudit,
): Promise<ImportReport> {
  const form = request.isMultipart() ? await readForm(request) : undefined
  const file = form?.file ?? (request.body as Readable | undefined)
  if (!file) throw new InvalidInput('The body must be the CSV file.')
  const { dry_run = false, on_trashed = 'skip', mapping } = { ...query, ...form?.settings }
  // As restoring from the trash does.
  if (on_trashed === 'restore') authorize(request.user, 'delete')
  const imported = importedFile(request, query.file_name ?? form?.name)
  const record = new ImportRecord(parts.db, request.user?.email ?? null, imported)
  try {
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
    // Destroying the stream would close the connection before the answer is sent.
    const chunks = whileRunning(stopping, file.iterator({ destroyOnReturn: false }))
    const bytes = counted(chunks, imported, form?.expectEnd)
    const report = await importCsv(parts, request.user, bytes, options)
    await record.complete(report)
    return report
  } catch (error) {
    const explained = explainInterruption(error as Error, request)
    await record.interrupt(explained instanceof ServiceError ? explained.message : UNEXPECTED)
    throw explained
  } finally {
    file.resume()
  }
}

/** The size of a form is not that of its file. */
function importedFile(request: FastifyRequest, name: string | undefined): ImportedFile {
  const length = request.isMultipart() ? Number.NaN : Number(request.headers['content-length'])
  return { name: name || null, bytes: Number.isSafeInteger(length) ? length : null, read: 0 }
}

/** @throws Unavailable when the service stops */
async function* whileRunning(stopping: AbortSignal, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  for await (const chunk of chunks) {
    if (stopping.aborted) throw new Unavailable(`The service is stopping. ${CONTINUE}`)
    yield chunk
  }
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

interface ImportForm {
  file: Readable
  /** The name of the file, if the client sent one. */
  name: string | undefined
  settings: ImportQuery
  /** Call this after the file. @throws InvalidInput if the form goes on, because it is too late for a setting */
  expectEnd(): Promise<void>
}

/** The form's file, and the settings in the fields before it. */
async function readForm(request: FastifyRequest): Promise<ImportForm> {
  const parts = request.parts()
  const nextPart = async () => {
    const { value } = await parts.next().catch((error: Error) => {
      throw unreadableForm(error)
    })
    return value as Multipart | undefined
  }
  const settings: ImportQuery = {}
  let part = await nextPart()
  for (; part?.type === 'field'; part = await nextPart()) readSetting(part, settings)
  if (part?.fieldname !== 'file') throw new InvalidInput('The form must have one file, in the field `file`.')
  return {
    file: part.file,
    name: part.filename?.replaceAll('\0', '').slice(0, MAX_FILE_NAME_LENGTH).toWellFormed(),
    settings,
    expectEnd: async () => {
      const late = await nextPart()
      if (late)
        throw new InvalidInput(
          `The form's field ${late.fieldname.slice(0, 100)} comes after the file, where it has no effect. Put it before the file. ` +
            'Rows that were imported before it arrived stay; undo the import to remove them.',
        )
    },
  }
}

function readSetting({ fieldname: name, value: content }: MultipartValue, settings: ImportQuery): void {
  const value = String(content)
  if (Object.hasOwn(settings, name)) throw new InvalidInput(`The form must have the field ${name} only once.`)
  if (name === 'mapping') settings.mapping = checkLength(value)
  else if (name === 'on_trashed' && isOnTrashed(value)) settings.on_trashed = value
  else if (name === 'dry_run' && /^(true|false)$/.test(value)) settings.dry_run = value === 'true'
  else
    throw new InvalidInput(
      `The form's field ${name} is unknown or invalid. Known: dry_run (true or false), on_trashed (skip or restore), mapping, file.`,
    )
}

const isOnTrashed = (value: string): value is (typeof ON_TRASHED)[number] =>
  (ON_TRASHED as readonly string[]).includes(value)

function checkLength(mapping: string): string {
  if (mapping.length <= MAX_MAPPING_LENGTH) return mapping
  throw new InvalidInput(`mapping must not be longer than ${MAX_MAPPING_LENGTH} characters.`)
}

function readMapping(text: string | undefined): ImportMapping {
  if (!text) return {}
  const fault =
    'mapping must be a JSON object of fields and columns, such as {"name": "Firm"}, or for a new custom field {"custom.batch": {"column": "Batch", "type": "select"}}, where type and label may be omitted.'
  let mapping: unknown
  try {
    mapping = JSON.parse(text)
  } catch {
    throw new InvalidInput(fault)
  }
  const isMapping =
    typeof mapping === 'object' &&
    mapping !== null &&
    !Array.isArray(mapping) &&
    Object.entries(mapping).every(
      ([field, column]) =>
        column === null ||
        typeof column === 'string' ||
        (customKey(field) !== undefined && fieldMappingFault(column) === undefined),
    )
  if (!isMapping) throw new InvalidInput(fault)
  return mapping as ImportMapping
}

const fieldMappingFault = lazyValidator(FieldMapping)

const CONTINUE = 'What was imported before stays; import the same file again to continue.'

const unreadableForm = (error: Error) =>
  new InvalidInput(`The form cannot be read: ${error.message}.`, { cause: error })

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
