import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { recordAudit } from '#src/features/audit/store.ts'
import { isDatabaseDown } from '#src/platform/database/faults.ts'
import { InvalidInput, ServiceError, TooManyRequests, Unavailable } from '#src/platform/errors.ts'
import { ConcurrencyLimit } from '#src/platform/http/concurrency-limit.ts'
import { callerOf } from '#src/platform/http/rate-limits.ts'
import type { ImportParts, RestoreCompanies } from './batch-writer.ts'
import type { ImportMapping } from './columns.ts'
import { type ImportAudit, importCsv } from './import.ts'
import {
  type ImportQuery,
  type ImportReport,
  importCompanies,
  MAX_IMPORTS,
  MAX_IMPORTS_PER_USER,
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
    { audit, authorize, longDb: db, objects }: Context,
    restore: RestoreCompanies,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const running = new ConcurrencyLimit({
      perCaller: MAX_IMPORTS_PER_USER,
      perProcess: MAX_IMPORTS,
      noun: 'imports',
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(/^text\/csv/, (_request, payload, done) => done(null, payload))
    await app.register(multipart, { limits: FORM_LIMITS })

    app.route({
      ...importCompanies,
      // The file is streamed, so it may be of any size.
      bodyLimit: Number.MAX_SAFE_INTEGER,
      handler: async (request, reply) => {
        try {
          const parts = { db, objects, restore, authorize }
          const importing = () => importRequest(parts, request, request.query, importAudit(audit, request))
          return { data: await running.run(callerOf(request.user, request.ip), importing) }
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
  { authorize, ...parts }: ImportParts & Pick<Context, 'authorize'>,
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
  try {
    const options = { dryRun: dry_run, onTrashed: on_trashed, mapping: readMapping(mapping), audit }
    // Destroying the stream would close the connection before the answer is sent.
    return await importCsv(parts, request.user, file.iterator({ destroyOnReturn: false }), options)
  } catch (error) {
    throw explainInterruption(error as Error, request)
  } finally {
    file.resume()
  }
}

/** The form's file, and the settings in the fields before it. */
async function readForm(request: FastifyRequest): Promise<{ file: Readable; settings: ImportQuery }> {
  const part = await request.file().catch((error: Error) => {
    throw unreadableForm(error)
  })
  if (part?.fieldname !== 'file') throw new InvalidInput('The form must have one file, in the field `file`.')
  const settings: ImportQuery = {}
  for (const [name, field] of Object.entries(part.fields)) {
    if (name === 'file') continue
    const value = String((field as { value?: unknown }).value)
    if (name === 'mapping') settings.mapping = checkLength(value)
    else if (name === 'on_trashed' && isOnTrashed(value)) settings.on_trashed = value
    else if (name === 'dry_run' && /^(true|false)$/.test(value)) settings.dry_run = value === 'true'
    else
      throw new InvalidInput(
        `The form's field ${name} is unknown or invalid. Known: dry_run (true or false), on_trashed (skip or restore), mapping, file.`,
      )
  }
  return { file: part.file, settings }
}

const isOnTrashed = (value: string): value is (typeof ON_TRASHED)[number] =>
  (ON_TRASHED as readonly string[]).includes(value)

function checkLength(mapping: string): string {
  if (mapping.length <= MAX_MAPPING_LENGTH) return mapping
  throw new InvalidInput(`mapping must not be longer than ${MAX_MAPPING_LENGTH} characters.`)
}

function readMapping(text: string | undefined): ImportMapping {
  if (!text) return {}
  const fault = 'mapping must be a JSON object of fields and columns, such as {"name": "Firm"}.'
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
    Object.values(mapping).every((column) => column === null || typeof column === 'string')
  if (!isMapping) throw new InvalidInput(fault)
  return mapping as ImportMapping
}

const CONTINUE = 'What was imported before stays; import the same file again to continue.'

const unreadableForm = (error: Error) =>
  new InvalidInput(`The form cannot be read: ${error.message}.`, { cause: error })

/** Turns an error in the middle of the file into one that says how to continue. */
function explainInterruption(error: Error & { code?: string }, request: FastifyRequest): Error {
  if (error instanceof ServiceError) return error
  if (error.code === 'ECONNRESET' && error.message === 'aborted')
    return new InvalidInput(`The connection closed before the end of the file. ${CONTINUE}`, { cause: error })
  if (isDatabaseDown(error))
    return new Unavailable(`The database became unreachable. ${CONTINUE}`, { cause: error })
  return request.isMultipart() && /\bform\b|multipart|boundary/i.test(error.message)
    ? unreadableForm(error)
    : error
}
