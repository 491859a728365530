import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { findOrCreateUser, recordPresence } from '#src/features/users/index.ts'
import { isOutOfResources, isReadOnly } from '#src/platform/database/errors.ts'
import { Unauthenticated } from '#src/platform/errors.ts'
import { sendError } from '#src/platform/http/error-handler.ts'
import { prefersHtml } from '#src/platform/http/html.ts'
import { permittedActions } from '#src/platform/identity/authorize.ts'
import { SESSION_COOKIE, sessionCookie } from '#src/platform/identity/session-cookie.ts'
import { endCurrentSession } from './end-current-session.ts'
import * as schema from './schema.ts'
import { SignIn } from './sign-in.ts'

export const authenticationRoutes =
  (context: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const { audit, config, db, identityProvider } = context
    const signIn = new SignIn(context)
    // No route here reads a body, so no body may prevent a sign-out.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, parsed) => {
      payload.resume()
      parsed(null)
    })
    app.setErrorHandler((error: Error, request, reply) => {
      const isSignIn = request.routeOptions.url === schema.signIn.url
      return isSignIn && prefersHtml(request)
        ? signIn.sendFailure(error, request, reply)
        : sendError(error, request, reply)
    })

    app.route({
      ...schema.signIn,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        await signIn.handle(request, reply, request.query)
        return reply
      },
    })

    app.route({
      ...schema.signOut,
      handler: async (request, reply) => {
        await endCurrentSession(context, request)
        reply.clearCookie(SESSION_COOKIE, sessionCookie(config))
        if (request.user) audit.record(request, { event: 'signed_out' })
        return prefersHtml(request) ? reply.redirect('/', 303) : { data: { signed_out: true } }
      },
    })

    app.route({
      ...schema.getCurrentUser,
      handler: async ({ user }) => {
        if (!user) throw new Unauthenticated('Nobody is signed in.')
        const expires = user.expires === undefined ? null : new Date(user.expires * 1000).toISOString()
        const record = JSON.parse(await findOrCreateUser(db, user.email, user))
        await recordPresence(db, user.email).catch(ignoreUnwritable)
        const name = record.name ?? user.name ?? null
        const picture = record.picture ?? user.picture ?? null
        const permissions = permittedActions(context.authorize, user)
        const { role, via: signed_in_by } = user
        return {
          data: { ...record, name, picture, role, signed_in_by, session_expires_at: expires, permissions },
        }
      },
    })

    app.route({
      ...schema.getAuthenticationStatus,
      handler: async () => {
        const isReachable = await identityProvider?.isReachable()
        const provider =
          isReachable === undefined ? 'not_configured' : isReachable ? 'reachable' : 'unreachable'
        return {
          data: {
            status: provider === 'unreachable' ? 'degraded' : 'ok',
            mode: config.production ? 'production' : 'development',
            identity_provider: provider,
            access_gateway: config.authentication.gateway ? 'configured' : 'not_configured',
          } as const,
        }
      },
    })

    done()
  }

/** The next request that can be written records it. */
function ignoreUnwritable(error: unknown): void {
  if (!isReadOnly(error) && !isOutOfResources(error)) throw error
}
