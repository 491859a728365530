import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { InvalidInput, NotFound } from '#src/platform/errors.ts'
import { callerOf } from '#src/platform/http/limits/rate-limits.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { isAllowed } from '#src/platform/identity/allowlist.ts'
import { normalizeEmail } from '#src/platform/identity/identity.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { creationLimit } from './creation-limit.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import { accessChanges, changeAccess } from './user-access.ts'

export const userRoutes =
  ({ access, authorize, db, config }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const countCreation = creationLimit()
    /** Looking up an erased person must not store the address again. */
    const requireNotErased = (email: string): void => {
      if (access.isErased(email)) throw new NotFound('The user with this email address was erased.')
    }
    const mayBeCreated = (email: string): boolean =>
      !config.production || isAllowed(email, config.authentication)

    app.route({
      ...schema.listUsers,
      handler: async ({ query }, reply) => sendPage(reply, pageOf(query), await store.listUsers(db, query)),
    })

    app.route({
      ...schema.getUser,
      handler: async ({ params, user, ip }, reply) => {
        const email = normalizeEmail(params.email)
        requireNotErased(email)
        const existing = await store.readUser(db, email)
        if (existing) return sendData(reply, existing)
        if (!mayBeCreated(email)) throw unknownUser(email)
        countCreation(callerOf(user, ip))
        return sendData(reply, await store.findOrCreateUser(db, email))
      },
    })

    app.route({
      ...schema.updateUser,
      handler: async (request, reply) => {
        const { params, body, user } = request
        const email = normalizeEmail(params.email)
        authorize(user, 'account', { owner: email })
        requireNotErased(email)
        if (!mayBeCreated(email) && !(await store.readUser(db, email))) throw unknownUser(email)
        const { preferences = {}, ...sent } = withoutReadOnly(body, schema.USER_READ_ONLY)
        const updated = await store.updatePreferences(db, email, preferences)
        const changes = accessChanges(JSON.parse(updated) as schema.UserRecord, sent)
        if (Object.keys(changes).length === 0) return sendData(reply, updated)
        authorize(user, 'manage_users')
        if (!config.enforceRoles) throw unenforced(Object.keys(changes).join(' and '))
        await changeAccess(db, request, email, changes, config.authentication)
        await access.applyChange()
        return sendData(reply, await store.findOrCreateUser(db, email))
      },
    })

    done()
  }

const unknownUser = (email: string) =>
  new NotFound(`No user has the email address ${email}, and it may not sign in here.`)

const unenforced = (fields: string) =>
  new InvalidInput(
    `${fields} cannot be changed while roles are not enforced, as here in development. Set ENFORCE_ROLES=true to enforce them.`,
  )
