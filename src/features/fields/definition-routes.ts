import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { Company } from '#src/features/companies/schema.ts'
import * as schema from '#src/features/custom-fields/schema.ts'
import { changeField, insertField, markDeleted } from '#src/features/custom-fields/store.ts'
import { Deal } from '#src/features/dealflow/schema.ts'

const BUILT_IN = { company: Object.keys(Company.properties), deal: Object.keys(Deal.properties) }

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
        const field = await changeField(longDb, id, body, headers['if-match'])
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
