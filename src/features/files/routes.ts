import { finished } from 'node:stream/promises'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { newAction, readHistory } from '#src/features/activity/index.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import { TooManyRequests } from '#src/platform/errors.ts'
import { disconnectSignal } from '#src/platform/http/disconnect.ts'
import { ConcurrencyLimit } from '#src/platform/http/limits/concurrency-limit.ts'
import { callerOf } from '#src/platform/http/limits/rate-limits.ts'
import { ACTION_HEADER, sendData, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import { withCaller } from '#src/platform/identity/caller-filter.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { type ArchiveTarget, archiveFiles } from './archive.ts'
import * as archiveSchema from './archive-schema.ts'
import { readAttachment } from './attachment.ts'
import { type ContentRequest, contentDisposition, POLICY, readContent } from './content.ts'
import * as content from './content-schema.ts'
import * as schema from './endpoint-schema.ts'
import { requireFile } from './find.ts'
import { listFiles, listVersions } from './list.ts'
import { readUsage } from './quota.ts'
import { deleteFile } from './remove.ts'
import { scanAgain } from './scans/request.ts'
import { scanFiles } from './scans/schema.ts'
import type { FileRecord } from './schema.ts'
import { readFileText } from './text.ts'
import { transferFiles } from './transfer.ts'
import { transferFiles as transferFilesEndpoint } from './transfer-schema.ts'
import { updateFile } from './update.ts'
import { uploadRoutes } from './upload-routes.ts'

/** Each may take hundreds of megabytes until it is sent. */
const ATTACHMENT_LIMITS = { perCaller: 2, perProcess: 4, noun: 'downloads of attachments' }
const USER_FILTERS = ['uploaded_by'] as const

export const fileRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { audit, authorize, config, db, filterCaller, objects, virusScanner } = context
    app.register(uploadRoutes(context))

    app.route({
      ...schema.listFiles,
      handler: async ({ query, user }, reply) => {
        const reading = cancelable(db, disconnectSignal(reply))
        const page = await listFiles(reading, filterCaller(user), withCaller(query, user, USER_FILTERS))
        return sendPage(reply, pageOf(query), page)
      },
    })

    app.route({
      ...schema.getFileUsage,
      handler: async () => ({
        data: { ...(await readUsage(db)), limit_bytes: config.maxFilesBytes ?? null },
      }),
    })

    app.route({
      ...schema.getFile,
      handler: async ({ params: { id }, user }, reply) => sendData(reply, await requireFile(db, user, id)),
    })

    app.route({
      ...schema.getFileHistory,
      handler: async ({ params: { id }, query, user }, reply) => {
        await requireFile(db, user, id)
        const reading = cancelable(db, disconnectSignal(reply))
        return sendPage(reply, pageOf(query), await readHistory(reading, id, query.field, pageOf(query)))
      },
    })

    app.route({
      ...schema.listFileVersions,
      handler: async ({ params: { id }, query, user }, reply) => {
        await requireFile(db, user, id)
        return sendPage(reply, pageOf(query), await listVersions(db, id, pageOf(query)))
      },
    })

    app.route({
      ...content.getFileText,
      handler: async ({ params: { id }, query: { page }, user }, reply) => ({
        data: await readFileText(cancelable(db, disconnectSignal(reply)), user, id, page),
      }),
    })

    const { schema: attachmentSchema, ...attachment } = content.getFileAttachment
    const attachmentLimit = new ConcurrencyLimit(ATTACHMENT_LIMITS)
    app.route({
      ...attachment,
      schema: attachmentSchema,
      exposeHeadRoute: false,
      handler: async ({ params, user, ip }, reply) => {
        const signal = disconnectSignal(reply)
        const send = async () => {
          const { name, content } = await readAttachment(context, user, params, signal)
          reply
            .headers({
              'content-type': 'application/octet-stream',
              'content-disposition': contentDisposition('attachment', name),
              'content-security-policy': POLICY,
              'x-frame-options': 'SAMEORIGIN',
            })
            .send(content as never)
          // The content is in memory until the client has it.
          await finished(reply.raw).catch(() => {})
        }
        await attachmentLimit.run(callerOf(user, ip), send).catch((error) => {
          if (error instanceof TooManyRequests) reply.header('Retry-After', 2)
          throw error
        })
        return reply
      },
    })

    const sendContent = async (request: FastifyRequest, reply: FastifyReply) => {
      const { id } = request.params as { id: string }
      const asked = { ...(request.query as object), id } as ContentRequest
      const { answer, body } = await readContent({ db, objects }, request.user, request, asked)
      // Ranges are those of the content as it is.
      request.headers['x-no-compression'] = 'true'
      return reply.code(answer.status).headers(answer.headers).send(body)
    }
    const { method, url, schema: documented } = content.getFileContent
    app.route({ method, url, schema: documented, exposeHeadRoute: false, handler: sendContent })
    const head = { hide: true, 'x-action': documented['x-action'], querystring: documented.querystring }
    app.route({ method: 'HEAD', url, schema: head, handler: sendContent })

    const sendArchive = async (request: FastifyRequest, reply: FastifyReply, { type, id }: ArchiveTarget) => {
      const { zip, name } = await archiveFiles({ db, objects }, request.user, { type, id }, (result) =>
        audit.record(request, {
          event: 'export',
          details: { resource: 'files', [`${type}_id`]: id, ...result },
        }),
      )
      return reply
        .header('content-type', 'application/zip')
        .header('content-disposition', contentDisposition('attachment', name))
        .send(zip)
    }
    app.route({
      ...archiveSchema.downloadCompanyFiles,
      exposeHeadRoute: false,
      handler: (request, reply) => sendArchive(request, reply, { type: 'company', id: request.params.id }),
    })
    app.route({
      ...archiveSchema.downloadDealFiles,
      exposeHeadRoute: false,
      handler: (request, reply) => sendArchive(request, reply, { type: 'deal', id: request.params.id }),
    })

    app.route({
      ...schema.updateFile,
      handler: async ({ params: { id }, body, headers, user }, reply) => {
        const action = newAction('update', user)
        const { file, isChanged } = await updateFile(db, action, {
          authorize: (owner) => authorize(user, 'write_own', { owner }),
          ...{ id, body, ifMatch: headers['if-match'] },
        })
        return sendData(reply, file, isChanged ? action.id : undefined)
      },
    })

    app.route({
      ...schema.deleteFile,
      handler: async ({ params: { id }, user }, reply) => {
        const action = newAction('delete', user)
        const authorizeRemoval = ({ uploaded_by: owner }: FileRecord, isInfected: boolean) =>
          isInfected ? authorize(user, 'delete') : authorize(user, 'write_own', { owner })
        await deleteFile(db, authorizeRemoval, action, id)
        return sendNothing(reply, action.id)
      },
    })

    app.route({
      ...transferFilesEndpoint,
      handler: async (request, reply) => {
        const transfer = await transferFiles(db, newAction('update', request.user), request.body, request)
        if (transfer.action_id) reply.header(ACTION_HEADER, transfer.action_id)
        return { data: transfer }
      },
    })

    app.route({
      ...scanFiles,
      handler: async () => ({ data: { versions: await scanAgain(db, virusScanner) } }),
    })

    done()
  }
