import { type Action, recordAction } from '#src/features/activity/index.ts'
import { type CustomFields, missingField, newCustomValues } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { newId } from '#src/platform/ids.ts'
import type { NewDeal } from './schema.ts'
import { explainUnknownCompany, insertDeal, readDeal } from './store.ts'

/**
 * Creates a deal and records it.
 * @throws InvalidInput for a company or an owner that does not exist, and for wrong custom values
 */
export async function createDeal(
  db: Db,
  customFields: CustomFields,
  action: Action,
  body: NewDeal,
): Promise<Json> {
  const id = newId('df')
  const deal = await db
    .transaction()
    .execute(async (transaction) => {
      const custom =
        body.custom || missingField(customFields.of('deal'), {})
          ? await newCustomValues(transaction, customFields, 'deal', body.custom)
          : {}
      await insertDeal(transaction, id, { ...body, custom })
      await recordAction(transaction, action, [
        {
          activity_type: 'dealflow_created',
          entity_type: 'dealflow',
          entity_id: id,
          company_id: body.company_id,
          metadata: { stage: body.stage },
        },
      ])
      return readDeal(transaction, id)
    })
    .catch(explainUnknownCompany(db, body.company_id))
  return orNotFound(deal, 'deal', id)
}
