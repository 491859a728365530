import { type Action, recordAction } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { newId } from '#src/platform/ids.ts'
import type { NewThesis } from './schema.ts'
import { insertThesis, readThesis } from './store.ts'

/**
 * Creates a thesis and records it.
 * @throws Conflict if the code is taken
 */
export const createThesis = (db: Db, action: Action, body: NewThesis): Promise<Json> =>
  db.transaction().execute(async (transaction) => {
    const id = newId('th')
    await insertThesis(transaction, id, body)
    await recordAction(transaction, action, [
      { activity_type: 'thesis_created', entity_type: 'thesis', entity_id: id },
    ])
    return orNotFound(await readThesis(transaction, id), 'thesis', id)
  })
