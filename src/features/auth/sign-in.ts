import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Context } from '#src/context.ts'
import { recordSignIn } from '#src/features/users/store.ts'
import { isReadOnly } from '#src/platform/database/faults.ts'
import { Forbidden, InvalidInput, Unavailable } from '#src/platform/errors.ts'
import { explainError } from '#src/platform/http/error-handler.ts'
import { sendHtml } from '#src/platform/http/html.ts'
import { isAllowed } from '#src/platform/identity/allowlist.ts'
import { SESSION_COOKIE, sessionCookie } from '#src/platform/identity/identity.ts'
import type { IdentityProvider } from '#src/platform/identity/identity-provider.ts'
import { SESSION_SECONDS } from '#src/platform/identity/session.ts'
import { isLoopbackHost } from '#src/platform/network/addresses.ts'
import { type Attempt, AttemptCookies } from './attempt-cookie.ts'
import { failedPage } from './pages.ts'
import { HOME, returnPath } from './return-path.ts'
import { signIn } from './schema.ts'

type Query = Static<typeof signIn.schema.querystring>

/** The sign-in of a browser, from its start through the identity provider to its session. */
export class SignIn {
  readonly #context: Context
  readonly #attempts: AttemptCookies
  readonly #redirectUri: string
  /** What requests asked for, for the page that tells of their failure. */
  readonly #asked = new WeakMap<FastifyRequest, Pick<Attempt, 'return_to' | 'choose_account'>>()

  constructor(context: Context) {
    this.#context = context
    this.#attempts = new AttemptCookies(context.sessions, context.config)
    this.#redirectUri = context.config.publicUrl + signIn.url
  }

  /** Begins a sign-in, or ends it when the identity provider sent the browser back. */
  async in(request: FastifyRequest, reply: FastifyReply, query: Query): Promise<void> {
    const { code, state, error } = query
    const isBack = code !== undefined || error !== undefined || state !== undefined
    await (isBack ? this.#finish(request, reply, state ?? '') : this.#begin(request, reply, query))
  }

  /** Tells a person on a page why the sign-in failed. */
  fail(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, details } = explainError(error, request)
    const { return_to = HOME, choose_account = false } = this.#asked.get(request) ?? {}
    // The account that the provider knows did not work; but not every provider can ask for another.
    const query = new URLSearchParams({ ...(choose_account ? {} : { choose_account: 'true' }), return_to })
    const again = this.#context.identityProvider && `${signIn.url}?${query}`
    return sendHtml(reply.code(status), 'Sign in', failedPage(details, request.user, again))
  }

  async #begin(request: FastifyRequest, reply: FastifyReply, query: Query): Promise<void> {
    const { config } = this.#context
    const provider = this.#provider()
    const return_to = returnPath(query.return_to, config.publicUrl)
    const asked = { return_to, choose_account: query.choose_account ?? false }
    this.#asked.set(request, asked)
    // The provider sends the browser to PUBLIC_URL, so the cookie must be that host's too.
    const { host, hostname } = new URL(config.publicUrl)
    if (!config.production && isLoopbackHost(hostname) && request.host !== host)
      return void reply.redirect(`${this.#redirectUri}?return_to=${encodeURIComponent(return_to)}`)
    const { address, attempt } = await provider.begin(this.#redirectUri, asked.choose_account)
    await this.#attempts.keep(request, reply, { ...attempt, ...asked })
    reply.redirect(address.href)
  }

  async #finish(request: FastifyRequest, reply: FastifyReply, state: string): Promise<void> {
    const { config, db, sessions } = this.#context
    const provider = this.#provider()
    const attempt = await this.#attempts.take(request, reply, state)
    if (!attempt)
      throw new InvalidInput(
        'This sign-in was not begun in this browser, was already used, or took longer than ten minutes. Sign in again.',
      )
    this.#asked.set(request, attempt)
    const callback = new URL(this.#redirectUri)
    callback.search = new URL(request.url, this.#redirectUri).search
    const profile = await provider.finish(callback, attempt)
    if (!isAllowed(profile.email, config.authentication)) {
      request.log.warn({ user: profile.email }, 'sign-in refused: the e-mail address may not sign in')
      throw new Forbidden(`The e-mail address ${profile.email} may not sign in here.`)
    }
    await recordSignIn(db, profile).catch(ignoreReadOnly)
    request.log.info({ user: profile.email }, 'signed in')
    const session = await sessions.sign(profile)
    reply
      .setCookie(SESSION_COOKIE, session, { ...sessionCookie(config), maxAge: SESSION_SECONDS })
      .redirect(attempt.return_to)
  }

  #provider(): IdentityProvider {
    const { identityProvider } = this.#context
    if (identityProvider) return identityProvider
    throw new Unavailable(
      'No identity provider is configured; set IDP_ISSUER, IDP_CLIENT_ID and IDP_CLIENT_SECRET.',
    )
  }
}

/** People can sign in while the database takes no writes; the next sign-in brings their record up to date. */
function ignoreReadOnly(error: unknown): void {
  if (!isReadOnly(error)) throw error
}
