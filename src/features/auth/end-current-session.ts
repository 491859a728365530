import type { FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { endSession } from '#src/features/sessions/store.ts'

/**
 * Ends the session of a request, if it has one. While the database cannot be written, the session ends in this process
 * alone, and the log says so: nothing may keep a user from signing out.
 */
export async function endCurrentSession(
  { access, db }: Pick<Context, 'access' | 'db'>,
  { user, log }: Pick<FastifyRequest, 'user' | 'log'>,
): Promise<void> {
  if (!user?.session) return
  const { email: user_email, session } = user
  access.endSession(session)
  try {
    await endSession(db, session, { user_email, created: session.created })
  } catch (error) {
    log.warn({ err: error, user: user_email }, 'signed out, but the end of the session could not be stored')
  }
}
