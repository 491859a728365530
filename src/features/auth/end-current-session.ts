import type { FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { endSession } from '#src/features/sessions/index.ts'

/**
 * Ends the session of a request, if it has one. Nothing may keep a user from signing out: while the database cannot be
 * written, the session ends in this process, and in the others once the database is back.
 */
export async function endCurrentSession(
  { access, db, uses }: Pick<Context, 'access' | 'db' | 'uses'>,
  { user, log }: Pick<FastifyRequest, 'user' | 'log'>,
): Promise<void> {
  if (!user?.session) return
  const end = { ...user.session, user_email: user.email }
  access.endSession(end)
  try {
    await endSession(db, end)
  } catch (error) {
    uses.noteEnd(end)
    log.warn({ err: error, user: user.email }, 'signed out, but the end of the session is not stored yet')
  }
}
