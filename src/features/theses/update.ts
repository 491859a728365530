import { type Action, recordAction, requireUnchanged } from '#src/features/activity/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { THESIS_READ_ONLY, type ThesisPatch } from './schema.ts'
import { lockThesis, readThesis, writeThesis } from './store.ts'

/**
 * Changes a thesis and records it. Writes nothing if no field differs.
 * @param ifMatch the If-Match header
 * @throws NotFound, PreconditionFailed if the thesis has changed since, Conflict if the code is taken
 */
export const updateThesis = (
  db: Db,
  action: Action,
  id: string,
  body: ThesisPatch,
  ifMatch: string | undefined,
): Promise<{ thesis: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const before = await orTrashed(transaction, await lockThesis(transaction, id), 'thesis', id)
    await requireUnchanged(transaction, ifMatch, 'thesis', before)
    const patch = withoutReadOnly(body, THESIS_READ_ONLY)
    const { changes, timestamp } = await writeThesis(transaction, before, patch)
    const fields = Object.keys(changes)
    if (fields.length > 0)
      await recordAction(transaction, action, [
        {
          activity_type: 'thesis_updated',
          entity_type: 'thesis',
          entity_id: id,
          metadata: { fields },
          changes,
          timestamp,
        },
      ])
    const thesis = orNotFound(await readThesis(transaction, id), 'thesis', id)
    return { thesis, isChanged: fields.length > 0 }
  })
