import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'
import type { SignInAttempt } from '#src/platform/identity/provider-client.ts'
import type { Sessions } from '#src/platform/identity/session.ts'
import { sessionCookie } from '#src/platform/identity/session-cookie.ts'
import { signIn } from './schema.ts'

/** A sign-in that was started, and where it leads. */
export interface Attempt extends SignInAttempt {
  return_to: string
  choose_account: boolean
}

const PREFIX = 'service_sign_in_'
const PURPOSE = 'sign-in attempt'
/** Time to complete the sign-in at the identity provider. */
const LIFETIME_SECONDS = 600
/** Enough for several tabs. More could be an attempt to push other cookies out of the browser. */
const MAX_ATTEMPTS = 8

const cookieName = (state: string) => PREFIX + state.replace(/[^\w-]/g, '').slice(0, 16)
const path = signIn.url

/** Only the sign-in reads cookies other than the session's, so they are not parsed for every request. */
const cookiesOf = ({ server, headers }: FastifyRequest) => server.parseCookie(headers.cookie ?? '')

/** The cookies that bind a sign-in to the browser that started it, one per tab. */
export class AttemptCookies {
  readonly #sessions: Sessions
  readonly #attributes: ReturnType<typeof sessionCookie>

  constructor(sessions: Sessions, config: Pick<Config, 'production'>) {
    this.#sessions = sessions
    this.#attributes = sessionCookie(config)
  }

  async save(request: FastifyRequest, reply: FastifyReply, attempt: Attempt): Promise<void> {
    const others = Object.keys(cookiesOf(request)).filter((name) => name.startsWith(PREFIX))
    if (others.length >= MAX_ATTEMPTS) for (const name of others) reply.clearCookie(name, { path })
    const sealed = await this.#sessions.seal(PURPOSE, { ...attempt }, LIFETIME_SECONDS)
    reply.setCookie(cookieName(attempt.state), sealed, {
      ...this.#attributes,
      path,
      maxAge: LIFETIME_SECONDS,
    })
  }

  /** Returns this browser's attempt with this state, and deletes its cookie. */
  async take(request: FastifyRequest, reply: FastifyReply, state: string): Promise<Attempt | undefined> {
    const name = cookieName(state)
    const sealed = cookiesOf(request)[name]
    if (sealed === undefined) return undefined
    reply.clearCookie(name, { path })
    return (await this.#sessions.open(PURPOSE, sealed)) as Attempt | undefined
  }
}
