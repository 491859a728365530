import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { isDatabaseDown } from '#src/platform/database/faults.ts'
import { InvalidInput, ServiceError, Unavailable } from '#src/platform/errors.ts'
import type { ImportMapping } from './columns.ts'
import { importCsv } from './import.ts'
import * as schema from './schema.ts'

const FORM_LIMITS = {
  files: 1,
  fileSize: Number.POSITIVE_INFINITY,
  fields: 5,
  fieldSize: 1000,
  parts: 6,
  headerPairs: 50,
}

/** The import takes its own kinds of bodies, so it is registered apart from the other routes. */
export const importRoute =
  ({ longDb: db, objects }: Context): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(/^text\/csv/, (_request, payload, done) => done(null, payload))
    await app.register(multipart, { limits: FORM_LIMITS })

    app.route({
      ...schema.importCompanies,
      // A file may be larger than any limit for a body that has to fit into memory.
      bodyLimit: Number.MAX_SAFE_INTEGER,
      handler: async (request) => {
        const form = request.isMultipart() ? await readForm(request) : undefined
        const file = form?.file ?? (request.body as Readable | undefined)
        if (!file) throw new InvalidInput('The body must be the CSV file.')
        const { dry_run = false, mapping } = { ...request.query, ...form?.settings }
        const options = { dryRun: dry_run, mapping: readMapping(mapping) }
        try {
          return { data: await importCsv({ db, objects }, request.user, file, options) }
        } catch (error) {
          throw interrupted(error as Error, request)
        }
      },
    })
  }

/** The file of a form, and the settings in the fields before it. */
async function readForm(request: FastifyRequest): Promise<{ file: Readable; settings: schema.ImportQuery }> {
  const part = await request.file().catch((error: Error) => {
    throw unreadableForm(error)
  })
  if (part?.fieldname !== 'file') throw new InvalidInput('The form must have one file, in its field `file`.')
  const settings: schema.ImportQuery = {}
  for (const [name, field] of Object.entries(part.fields)) {
    if (name === 'file') continue
    const value = String((field as { value?: unknown }).value)
    if (name === 'mapping') settings.mapping = value
    else if (name === 'dry_run' && /^(true|false)$/.test(value)) settings.dry_run = value === 'true'
    else
      throw new InvalidInput(
        `The form's field ${name} is not known or not valid. Known: dry_run (true or false), mapping, file.`,
      )
  }
  return { file: part.file, settings }
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

const GO_ON = 'What was written before stays; import the same file again to go on.'

const unreadableForm = (error: Error) =>
  new InvalidInput(`The form cannot be read: ${error.message}.`, { cause: error })

/** What to tell of an error in the middle of the file. */
function interrupted(error: Error & { code?: string }, request: FastifyRequest): Error {
  if (error instanceof ServiceError) return error
  if (error.code === 'ECONNRESET' && error.message === 'aborted')
    return new InvalidInput(`The file broke off before its end. ${GO_ON}`, { cause: error })
  if (isDatabaseDown(error))
    return new Unavailable(`The database went out of reach. ${GO_ON}`, { cause: error })
  return request.isMultipart() && /\bform\b|multipart|boundary/i.test(error.message)
    ? unreadableForm(error)
    : error
}
