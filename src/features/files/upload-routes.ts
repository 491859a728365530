import multipart from '@fastify/multipart'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { newAction } from '#src/features/activity/index.ts'
import { TooManyRequests } from '#src/platform/errors.ts'
import { ConcurrencyLimit } from '#src/platform/http/limits/concurrency-limit.ts'
import { callerOf } from '#src/platform/http/limits/rate-limits.ts'
import { sendData } from '#src/platform/http/replies.ts'
import { tooLarge } from './content-store.ts'
import * as schema from './endpoint-schema.ts'
import { explainForm, FORM_LIMITS, readForm, readNewFile, readNothing } from './form.ts'
import { MAX_FILE_BYTES, MAX_UPLOADS, MAX_UPLOADS_PER_USER } from './schema.ts'
import { uploadFile, uploadFileVersion } from './upload.ts'

const RETRY_AFTER_SECONDS = 2
/** What a form has besides the file. */
const MAX_FORM_BYTES = 1024 * 1024

/** A separate plugin, because uploads accept forms alone. */
export const uploadRoutes =
  ({ config, db, objects, uploads, virusScanner }: Context): FastifyPluginAsyncTypebox =>
  async (app) => {
    const parts = {
      db,
      objects,
      uploads,
      maxBytes: config.maxFilesBytes,
      isScanned: virusScanner !== undefined,
    }
    const limit = new ConcurrencyLimit({
      perCaller: MAX_UPLOADS_PER_USER,
      perProcess: MAX_UPLOADS,
      noun: 'uploads',
    })
    app.removeAllContentTypeParsers()
    await app.register(multipart, { limits: FORM_LIMITS })
    /** Receives a file and answers with its record. */
    const receive = async (
      request: FastifyRequest,
      reply: FastifyReply,
      upload: () => ReturnType<typeof uploadFile>,
      actionId: string,
    ) => {
      try {
        requireSize(uploads, request)
        const { file, outcome } = await limit.run(callerOf(request.user, request.ip), upload)
        const isChanged = outcome !== 'unchanged'
        return sendData(reply.code(isChanged ? 201 : 200), file, isChanged ? actionId : undefined)
      } catch (error) {
        dropRest(request)
        if (error instanceof TooManyRequests) reply.header('Retry-After', RETRY_AFTER_SECONDS)
        throw explainForm(error as Error)
      }
    }

    app.route({
      ...schema.uploadFile,
      bodyLimit: Number.MAX_SAFE_INTEGER,
      handler: async (request, reply) => {
        const action = newAction('create', request.user)
        const upload = async () => uploadFile(parts, action, await readForm(request, readNewFile, 'about'))
        return receive(request, reply, upload, action.id)
      },
    })

    app.route({
      ...schema.uploadFileVersion,
      bodyLimit: Number.MAX_SAFE_INTEGER,
      handler: async (request, reply) => {
        const action = newAction('update', request.user)
        const upload = async () =>
          uploadFileVersion(parts, action, request.params.id, await readForm(request, readNothing))
        return receive(request, reply, upload, action.id)
      },
    })
  }

/** @throws TooLarge, and Unavailable if the disk has too little space, for an upload that announces its size */
function requireSize(uploads: Context['uploads'], { headers }: FastifyRequest): void {
  const bytes = Number(headers['content-length'])
  if (bytes > MAX_FILE_BYTES + MAX_FORM_BYTES) throw tooLarge()
  if (bytes > 0) uploads.requireSpace(bytes)
}

/** The rest of a refused upload is received and dropped: a client that is still sending would not read its answer. */
function dropRest({ raw }: FastifyRequest): void {
  raw.unpipe()
  raw.resume()
}
