import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { newAction } from '#src/features/activity/index.ts'
import { normalizeTag } from '#src/features/companies/index.ts'
import { NotFound } from '#src/platform/errors.ts'
import { ACTION_HEADER, sendNothing, sendPage } from '#src/platform/http/replies.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { truncate } from '#src/platform/truncate.ts'
import { replaceTag } from './replace.ts'
import * as schema from './schema.ts'
import { countTagged, listTags } from './store.ts'

export const tagRoutes =
  ({ authorize, db, longDb, maxBatchMs }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const batched = { db: longDb, maxBatchMs }
    /** The tag of a path, which the caller may replace at all companies and people. */
    async function requireTag(user: User | null, name: string): Promise<string> {
      const tag = normalizeTag(name)
      const records = await countTagged(db, tag)
      if (records === 0) throw new NotFound(`No company and no person has the tag ${truncate(tag, 100)}.`)
      authorize(user, 'write', { records })
      return tag
    }

    app.route({
      ...schema.listTags,
      handler: async ({ query }, reply) => sendPage(reply, pageOf(query), await listTags(db, query)),
    })

    app.route({
      ...schema.renameTag,
      handler: async ({ params, body, user }, reply) => {
        const tag = await requireTag(user, params.name)
        const name = normalizeTag(body.name)
        const action = newAction('bulk_update', user)
        const updated = name === tag ? 0 : await replaceTag(batched, action, tag, [name])
        if (updated > 0) reply.header(ACTION_HEADER, action.id)
        return { data: { name, updated, action_id: updated > 0 ? action.id : null } }
      },
    })

    app.route({
      ...schema.removeTag,
      handler: async ({ params, user }, reply) => {
        const action = newAction('bulk_update', user)
        await replaceTag(batched, action, await requireTag(user, params.name), [])
        return sendNothing(reply, action.id)
      },
    })

    done()
  }
