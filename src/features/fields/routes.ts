import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import { activityFields } from '#src/features/activity/store.ts'
import { readCompanyFields, readFieldsWithValues } from '#src/features/companies/store.ts'
import { customName, readCustomFields } from '#src/features/custom-fields/store.ts'
import { readDealFields, readStageOptions } from '#src/features/dealflow/store.ts'
import { thesisFields } from '#src/features/theses/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { listJson } from '#src/platform/database/sql.ts'
import { type Fields, type FilterField, isSortable, operatorsOf } from '#src/platform/filter/fields.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import * as schema from './schema.ts'

const READERS: Record<schema.FieldEntity, (db: Db) => Promise<Fields>> = {
  company: readCompanyFields,
  deal: readDealFields,
  thesis: async () => thesisFields,
  activity: async () => activityFields,
}

/** Their options are the stages that admins have configured. */
const STAGE_FIELDS = ['stage', 'deal_stage']

export const fieldRoutes =
  ({ db }: Context): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    app.route({
      ...schema.listFields,
      handler: async ({ query }, reply) => {
        const { entity = 'company' } = query
        const definitions =
          entity === 'company' || entity === 'deal' ? [...(await readCustomFields(db, entity)).values()] : []
        const custom = new Map(definitions.map((field) => [customName(field.key), field]))
        const stages = entity === 'company' || entity === 'deal' ? await readStageOptions(db) : []
        const withValues = entity === 'company' ? await readFieldsWithValues(db) : {}
        const fields = [...(await READERS[entity](db)).values()].map((field) => ({
          ...describe(entity, field),
          ...(STAGE_FIELDS.includes(field.name) && { options: stages }),
          ...custom.get(field.name),
          has_values: withValues[field.name] ?? (field.isRequired ? true : null),
        }))
        const page = pageOf(query)
        const records = listJson(fields.slice(page.offset, page.offset + page.limit))
        return sendPage(reply, page, { records, total: fields.length })
      },
    })
    done()
  }

const describe = (
  entity: schema.FieldEntity,
  field: FilterField,
): Omit<schema.FieldDescription, 'has_values'> => ({
  id: null,
  entity,
  key: field.name,
  name: field.name,
  label: field.label,
  type: field.type,
  operators: [...operatorsOf(field)],
  is_sortable: isSortable(field),
  options: (field.options ?? []).map(({ id, label }) => ({ id, label })),
  currency: null,
  required: field.isRequired ?? false,
  archived: false,
  updated_at: null,
})
