import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { builtInCompanyNames } from '#src/features/companies/store.ts'
import * as schema from '#src/features/custom-fields/schema.ts'
import {
  type BuiltInFields,
  changeField,
  insertField,
  markDeleted,
} from '#src/features/custom-fields/store.ts'
import { builtInDealNames } from '#src/features/dealflow/store.ts'

const BUILT_IN: BuiltInFields = { company: builtInCompanyNames, deal: builtInDealNames }

export const definitionRoutes =
  ({ customFields, db, longDb }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    // A failed refresh is repeated in the background.
    const refresh = () => customFields.refresh().catch(() => {})
    app.addHook('onReady', refresh)

    app.route({
      ...schema.createField,
      handler: async ({ body }, reply) => {
        const field = await db
          .transaction()
          .execute((transaction) => insertField(transaction, body, BUILT_IN[body.entity]))
        await refresh()
        return reply.code(201).send({ data: field })
      },
    })

    app.route({
      ...schema.updateField,
      handler: async ({ params: { id }, body, headers }) => {
        const field = await changeField(longDb, id, body, BUILT_IN, headers['if-match'])
        await refresh()
        return { data: field }
      },
    })

    app.route({
      ...schema.deleteField,
      handler: async ({ params: { id }, query: { confirm = false } }, reply) => {
        await markDeleted(longDb, id, confirm)
        await refresh()
        return reply.code(204).send(null)
      },
    })

    done()
  }
