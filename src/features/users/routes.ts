import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { LRUCache } from 'lru-cache'
import type { Context } from '#src/context.ts'
import { InvalidInput, NotFound, TooManyRequests } from '#src/platform/errors.ts'
import { callerOf } from '#src/platform/http/limits/rate-limits.ts'
import { sendData, sendPage } from '#src/platform/http/replies.ts'
import { isAllowed } from '#src/platform/identity/allowlist.ts'
import { normalizeEmail } from '#src/platform/identity/identity.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { findOrCreateUser } from './create.ts'
import { updatePreferences } from './preferences.ts'
import * as schema from './schema.ts'
import * as store from './store.ts'
import { accessChanges, changeAccess, type OnDisabled } from './user-access.ts'

export const userRoutes =
  (
    { access, authorize, db, config }: Context,
    { onDisabled }: { onDisabled: OnDisabled },
  ): FastifyPluginCallbackTypebox =>
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
        return sendData(reply, await findOrCreateUser(db, email))
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
        const updated = await updatePreferences(db, email, preferences)
        const changes = accessChanges(JSON.parse(updated) as schema.UserRecord, sent)
        if (Object.keys(changes).length === 0) return sendData(reply, updated)
        authorize(user, 'manage_users')
        if (!config.enforceRoles) throw unenforced(Object.keys(changes).join(' and '))
        await changeAccess(db, request, email, changes, config.authentication, onDisabled)
        await access.applyChange()
        return sendData(reply, await findOrCreateUser(db, email))
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

/** New users that one caller may create by looking up addresses. */
export const MAX_CREATIONS = 100
const PERIOD_MS = 60 * 60 * 1000
const MAX_CALLERS = 10_000

/**
 * Counts the users that each caller creates in this process.
 * @returns throws TooManyRequests when the caller has created MAX_CREATIONS users within an hour
 */
function creationLimit(): (caller: string) => void {
  const counts = new LRUCache<string, number>({ max: MAX_CALLERS, ttl: PERIOD_MS, noUpdateTTL: true })
  return (caller) => {
    const count = counts.get(caller) ?? 0
    if (count >= MAX_CREATIONS)
      throw new TooManyRequests(
        `You have looked up ${MAX_CREATIONS} email addresses without a user within an hour. Try again later.`,
      )
    counts.set(caller, count + 1)
  }
}
