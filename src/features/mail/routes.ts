import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { explainError, sendError } from '#src/platform/http/error-handler.ts'
import { prefersHtml, sendHtml } from '#src/platform/http/html.ts'
import * as schema from './schema.ts'
import { readKindsToEnd, unsubscribe } from './unsubscribe.ts'
import { askPage, donePage, failedPage } from './unsubscribe-page.ts'

const TITLE = 'Stop mail'

export const mailRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    // Mail programs send a form, which says nothing that the address does not say.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, parsed) => {
      payload.resume()
      parsed(null)
    })
    app.setErrorHandler((error: Error, request, reply) => {
      if (!prefersHtml(request)) return sendError(error, request, reply)
      const { status, details } = explainError(error, request)
      return sendHtml(reply.code(status), TITLE, failedPage(details))
    })

    app.route({
      ...schema.askToUnsubscribe,
      handler: async (request, reply) => {
        const { kind } = request.query
        const kinds = await readKindsToEnd(db, request.params.token, kind)
        return prefersHtml(request) ? sendHtml(reply, TITLE, askPage(kind)) : { data: { kinds } }
      },
    })

    app.route({
      ...schema.unsubscribe,
      handler: async (request, reply) => {
        const { kind } = request.query
        const kinds = await unsubscribe(db, request.params.token, kind)
        return prefersHtml(request) ? sendHtml(reply, TITLE, donePage(kind)) : { data: { kinds } }
      },
    })

    done()
  }
