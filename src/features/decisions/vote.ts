import type { Action } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { Conflict, InvalidInput, NotFound, orNotFound } from '#src/platform/errors.ts'
import type { NewVote } from './schema.ts'
import { readDecision, type StoredDecision, voteName } from './store.ts'
import { lockDecision } from './update.ts'
import { writeChanges } from './write-changes.ts'

/**
 * Gives the vote of the user of the action, or replaces it, and records it. Writes nothing if it is the same.
 * @throws NotFound, Conflict if the decision has been taken, InvalidInput without a user
 */
export const vote = (
  db: Db,
  action: Action,
  id: string,
  { vote: given, comment = null }: NewVote,
): Promise<{ decision: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const email = requireVoter(action)
    const before = requireOpen(await lockDecision(transaction, id))
    const previous = before.votes[email]
    const isChanged = previous?.vote !== given || previous.comment !== comment
    const voted = { vote: given, comment, voted_at: new Date().toISOString() }
    if (isChanged) await writeChanges(transaction, action, [{ before, values: { [voteName(email)]: voted } }])
    return { decision: orNotFound(await readDecision(transaction, id), 'decision', id), isChanged }
  })

/**
 * Takes back the vote of the user of the action, and records it.
 * @throws NotFound, also without a vote, Conflict if the decision has been taken, InvalidInput without a user
 */
export const takeBackVote = (db: Db, action: Action, id: string): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const email = requireVoter(action)
    const before = requireOpen(await lockDecision(transaction, id))
    if (!before.votes[email]) throw new NotFound(`${email} has not voted on the decision ${id}.`)
    await writeChanges(transaction, action, [{ before, values: { [voteName(email)]: null } }])
  })

function requireVoter({ user }: Action): string {
  if (user) return user.email
  throw new InvalidInput('A vote needs a user. Sign in, or send an email address.')
}

function requireOpen(decision: StoredDecision): StoredDecision {
  if (decision.outcome === null) return decision
  throw new Conflict(
    `The decision ${decision.id} was taken at ${decision.decided_at} (${decision.outcome}), so votes are closed. PATCH it with an outcome of null to open it again.`,
  )
}
