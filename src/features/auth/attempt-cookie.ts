import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'
import type { SignInAttempt } from '#src/platform/identity/identity-provider.ts'
import type { Sessions } from '#src/platform/identity/session.ts'
import { sessionCookie } from '#src/platform/identity/session-cookie.ts'
import { signIn } from './schema.ts'

/** A sign-in that has begun, and where it leads. */
export interface Attempt extends SignInAttempt {
  return_to: string
  choose_account: boolean
}

const PREFIX = 'service_sign_in_'
const PURPOSE = 'sign-in attempt'
/** Seconds that a person has for the identity provider's pages. */
const LASTS_SECONDS = 600
/** Several tabs may sign in at the same time; more than these somebody may have begun to crowd out other cookies. */
const MAX_ATTEMPTS = 8

const nameOf = (state: string) => PREFIX + state.replace(/[^\w-]/g, '').slice(0, 16)
const path = signIn.url

/** The cookies that bind a sign-in to the browser that began it, one for each tab. */
export class AttemptCookies {
  readonly #sessions: Sessions
  readonly #attributes: ReturnType<typeof sessionCookie>

  constructor(sessions: Sessions, config: Pick<Config, 'production'>) {
    this.#sessions = sessions
    this.#attributes = sessionCookie(config)
  }

  async keep(request: FastifyRequest, reply: FastifyReply, attempt: Attempt): Promise<void> {
    const others = Object.keys(request.cookies).filter((name) => name.startsWith(PREFIX))
    if (others.length >= MAX_ATTEMPTS) for (const name of others) reply.clearCookie(name, { path })
    const sealed = await this.#sessions.seal(PURPOSE, { ...attempt }, LASTS_SECONDS)
    reply.setCookie(nameOf(attempt.state), sealed, { ...this.#attributes, path, maxAge: LASTS_SECONDS })
  }

  /** The attempt of this browser with this state, which is then forgotten. */
  async take(request: FastifyRequest, reply: FastifyReply, state: string): Promise<Attempt | undefined> {
    const name = nameOf(state)
    const sealed = request.cookies[name]
    if (sealed === undefined) return undefined
    reply.clearCookie(name, { path })
    return (await this.#sessions.open(PURPOSE, sealed)) as Attempt | undefined
  }
}
