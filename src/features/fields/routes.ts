import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '#src/context.ts'
import type { Db } from '#src/platform/database/database.ts'
import { listJson } from '#src/platform/database/sql.ts'
import { type FilterField, isSortable, operatorsOf } from '#src/platform/filter/fields.ts'
import { sendPage } from '#src/platform/http/replies.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { customName } from './changes.ts'
import { readCustomFields } from './custom-fields.ts'
import { changeField, insertField, markDeleted } from './definitions.ts'
import type { FieldKind } from './kind.ts'
import { type FieldDescription, type FieldEntity, listFields } from './list-schema.ts'
import type { BuiltInFields, BuiltInNames } from './names.ts'
import * as schema from './schema.ts'
import { CUSTOM_FIELD_ENTITIES, type CustomFieldEntity } from './schema.ts'

/** @param kinds one for each entity */
export const fieldRoutes =
  (
    { customFields, db, longDb }: Context,
    kinds: Readonly<Record<FieldEntity, FieldKind>>,
  ): FastifyPluginCallbackTypebox =>
  (app, _options, done) => {
    const builtIn: BuiltInFields = {
      company: namesOf(kinds.company),
      deal: namesOf(kinds.deal),
      person: namesOf(kinds.person),
    }
    // A failed refresh is repeated in the background.
    const refresh = () => customFields.refresh().catch(() => {})
    app.addHook('onReady', refresh)

    app.route({
      ...listFields,
      handler: async ({ query }, reply) => {
        const { entity = 'company' } = query
        const fields = await describeFields(db, kinds[entity])
        const page = pageOf(query)
        const records = listJson(fields.slice(page.offset, page.offset + page.limit))
        return sendPage(reply, page, { records, total: fields.length })
      },
    })

    app.route({
      ...schema.createField,
      handler: async ({ body }, reply) => {
        const field = await db
          .transaction()
          .execute((transaction) => insertField(transaction, body, builtIn[body.entity]))
        await refresh()
        return reply.code(201).send({ data: field })
      },
    })

    app.route({
      ...schema.updateField,
      handler: async ({ params: { id }, body, headers }) => {
        const field = await changeField(longDb, id, body, builtIn, headers['if-match'])
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

const NO_NAMES: BuiltInNames = { names: [], labels: [] }
const namesOf = ({ builtInNames = NO_NAMES }: FieldKind): BuiltInNames => builtInNames

const isCustomizable = (entity: FieldEntity): entity is CustomFieldEntity =>
  (CUSTOM_FIELD_ENTITIES as readonly string[]).includes(entity)

/** The fields of a kind of record, custom ones included. */
async function describeFields(db: Db, kind: FieldKind): Promise<FieldDescription[]> {
  const { entity } = kind
  const definitions = isCustomizable(entity) ? [...(await readCustomFields(db, entity)).values()] : []
  const custom = new Map(definitions.map((field) => [customName(field.key), field]))
  const options = (await kind.readOptions?.(db)) ?? {}
  const withValues = (await kind.readFieldsWithValues?.(db)) ?? {}
  return [...(await kind.readFields(db)).entries()].map(([name, field]) => ({
    ...describe(entity, field),
    ...(name in options && { options: [...(options[name] ?? [])] }),
    ...custom.get(name),
    has_values: withValues[name] ?? (field.isRequired ? true : null),
  }))
}

const describe = (entity: FieldEntity, field: FilterField): Omit<FieldDescription, 'has_values'> => ({
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
