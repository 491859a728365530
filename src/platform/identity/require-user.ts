import { Unauthenticated } from '#src/platform/errors.ts'
import type { User } from './identity.ts'

/**
 * Requires a user even in development, where other requests need none, because what the request is about belongs to users.
 * @throws Unauthenticated without a user
 */
export function requireUser(user: User | null): User {
  if (user) return user
  throw new Unauthenticated('Sign in, or send a token (Authorization: Bearer …).')
}
