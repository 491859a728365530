import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Context } from '#src/context.ts'
import { recordAudit } from '#src/features/audit/index.ts'
import { recordSessionUses } from '#src/features/sessions/index.ts'
import { recordSignIn } from '#src/features/users/index.ts'
import { isReadOnly } from '#src/platform/database/errors.ts'
import { Forbidden, InvalidInput, ServiceError, TooManyRequests, Unavailable } from '#src/platform/errors.ts'
import { explainError } from '#src/platform/http/error-handler.ts'
import { type Html, html, sendHtml } from '#src/platform/http/html.ts'
import type { Allowance } from '#src/platform/http/limits/rate-limits.ts'
import { setLimitHeaders } from '#src/platform/http/limits/request-limits.ts'
import { isAllowed } from '#src/platform/identity/allowlist.ts'
import { browserOf } from '#src/platform/identity/credential-use.ts'
import type { User } from '#src/platform/identity/identity.ts'
import type { IdentityProvider, Profile } from '#src/platform/identity/identity-provider.ts'
import { SESSION_SECONDS } from '#src/platform/identity/session.ts'
import { SESSION_COOKIE, sessionCookie } from '#src/platform/identity/session-cookie.ts'
import { newId } from '#src/platform/ids.ts'
import { clientNetwork, isLoopbackHost } from '#src/platform/network/addresses.ts'
import { type Attempt, AttemptCookies } from './attempt-cookie.ts'
import { endCurrentSession } from './end-current-session.ts'
import { signIn } from './schema.ts'

type Query = Static<typeof signIn.schema.querystring>

/** Handles the sign-in of a browser, from the redirect to the identity provider to the session cookie. */
export class SignIn {
  readonly #context: Context
  readonly #attempts: AttemptCookies
  readonly #redirectUri: string
  /** The parameters of each request, for the page shown if it fails. */
  readonly #requested = new WeakMap<FastifyRequest, Pick<Attempt, 'return_to' | 'choose_account'>>()
  /** The verified addresses of refused people. */
  readonly #emails = new WeakMap<FastifyRequest, string>()

  constructor(context: Context) {
    this.#context = context
    this.#attempts = new AttemptCookies(context.sessions, context.config)
    this.#redirectUri = context.config.publicUrl + signIn.url
  }

  /** Starts a sign-in, or finishes it if this is the callback from the identity provider. */
  async handle(request: FastifyRequest, reply: FastifyReply, query: Query): Promise<void> {
    const { code, state, error } = query
    const isCallback = code !== undefined || error !== undefined || state !== undefined
    if (!isCallback) return this.#begin(request, reply, query)
    await this.#finish(request, reply, state ?? '').catch((error) => {
      this.#recordRefusal(request, error)
      throw error
    })
  }

  /** Sends a page that says why the sign-in failed. */
  sendFailure(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, details } = explainError(error, request)
    const { return_to = HOME, choose_account = false } = this.#requested.get(request) ?? {}
    // Offers another account on the first failure only, because some providers cannot ask for one.
    const query = new URLSearchParams({ ...(choose_account ? {} : { choose_account: 'true' }), return_to })
    const retryUrl = this.#context.identityProvider && `${signIn.url}?${query}`
    return sendHtml(reply.code(status), 'Sign in', signInFailedPage(details, request.user, retryUrl))
  }

  async #begin(request: FastifyRequest, reply: FastifyReply, query: Query): Promise<void> {
    const { config } = this.#context
    const provider = this.#provider()
    const return_to = returnPath(query.return_to, config.publicUrl)
    const requested = { return_to, choose_account: query.choose_account ?? false }
    this.#requested.set(request, requested)
    // The provider redirects back to PUBLIC_URL, so the cookie must belong to that host.
    const { host, hostname } = new URL(config.publicUrl)
    if (!config.production && isLoopbackHost(hostname) && request.host !== host)
      return void reply.redirect(`${this.#redirectUri}?return_to=${encodeURIComponent(return_to)}`)
    const { address, attempt } = await provider.begin(this.#redirectUri, requested.choose_account)
    await this.#attempts.save(request, reply, { ...attempt, ...requested })
    reply.redirect(address.href)
  }

  async #finish(request: FastifyRequest, reply: FastifyReply, state: string): Promise<void> {
    const { access, config } = this.#context
    const provider = this.#provider()
    const ofAddress = await this.#countAttempt(reply, `address:${clientNetwork(request.ip)}`)
    const attempt = await this.#attempts.take(request, reply, state)
    if (!attempt)
      throw new InvalidInput(
        'This sign-in was started in another browser, was already used, or took longer than ten minutes. Sign in again.',
      )
    this.#requested.set(request, attempt)
    const callback = new URL(this.#redirectUri)
    callback.search = new URL(request.url, this.#redirectUri).search
    const profile = await provider.finish(callback, attempt)
    await access.refresh()
    const isErased = access.isErased(profile.email)
    // An erased address is not stored again.
    if (!isErased) this.#emails.set(request, profile.email)
    await this.#countAttempt(reply, `account:${profile.email}`, ofAddress)
    if (!isAllowed(profile.email, config.authentication)) {
      request.log.warn({ user: profile.email }, 'sign-in rejected: the email address is not allowed')
      throw new Forbidden(`The email address ${profile.email} may not sign in here.`)
    }
    if (isErased) throw new Forbidden('This user was erased and may not sign in.')
    if (access.userOf(profile.email).isDisabled) {
      request.log.warn({ user: profile.email }, 'sign-in rejected: the user is disabled')
      throw new Forbidden(`The user ${profile.email} is disabled.`)
    }
    await this.#recordSignIn(request, profile)
    request.log.info({ user: profile.email }, 'signed in')
    const session = await this.#startSession(request, profile)
    reply
      .setCookie(SESSION_COOKIE, session, { ...sessionCookie(config), maxAge: SESSION_SECONDS })
      .redirect(attempt.return_to)
  }

  /** Signs a token for a new session, and ends the one that this browser had. */
  async #startSession({ user, ip, headers, log }: FastifyRequest, profile: Profile): Promise<string> {
    const { db, sessions } = this.#context
    const jti = newId('ses')
    const token = await sessions.sign({ ...profile, jti })
    const created = Math.floor(Date.now() / 1000)
    const session = { id: jti, created, expires: created + SESSION_SECONDS }
    const use = {
      ...session,
      user_email: profile.email,
      address: ip,
      browser: browserOf(headers['user-agent']),
    }
    await recordSessionUses(db, [{ ...use, seen: Date.now(), isAutomatic: false }]).catch(ignoreReadOnly)
    await endCurrentSession(this.#context, { user, log })
    return token
  }

  /**
   * Counts an attempt. The headers then show its limit instead of the standard one.
   * @param other what the attempt was counted as before; the headers show the one that is nearer to its limit
   * @throws TooManyRequests
   */
  async #countAttempt(
    reply: FastifyReply,
    caller: string,
    other?: Allowance,
  ): Promise<Allowance | undefined> {
    const allowance = await this.#context.limits.take('sign_in', caller)
    if (!allowance) return undefined
    setLimitHeaders(reply, other && other.remaining < allowance.remaining ? other : allowance)
    if (!allowance.isExceeded) return allowance
    reply.header('retry-after', allowance.reset)
    throw new TooManyRequests(
      `The limit is ${allowance.limit} sign-ins per minute for an address and for an account. Try again in ${allowance.reset} seconds.`,
    )
  }

  /** People can sign in while the database takes no writes; the next sign-in brings their record up to date. */
  async #recordSignIn(request: FastifyRequest, profile: Profile): Promise<void> {
    const { audit, db } = this.#context
    const event = { event: 'signed_in', user_email: profile.email } as const
    try {
      await db.transaction().execute(async (transaction) => {
        await recordSignIn(transaction, profile)
        await recordAudit(transaction, request, event)
      })
    } catch (error) {
      if (!isReadOnly(error)) throw error
      audit.record(request, event)
    }
  }

  /** Outages are no refusals. */
  #recordRefusal(request: FastifyRequest, error: unknown): void {
    if (!(error instanceof ServiceError) || error instanceof Unavailable) return
    const user_email = this.#emails.get(request) ?? null
    this.#context.audit.deny(request, {
      event: 'sign_in_refused',
      user_email,
      details: { reason: error.message },
    })
  }

  #provider(): IdentityProvider {
    const { identityProvider } = this.#context
    if (identityProvider) return identityProvider
    throw new Unavailable(
      'No identity provider is configured. Set IDP_ISSUER, IDP_CLIENT_ID and IDP_CLIENT_SECRET.',
    )
  }
}

/** The session is recorded when it is next used. */
function ignoreReadOnly(error: unknown): void {
  if (!isReadOnly(error)) throw error
}

/** The page for a failed sign-in, with links to retry, if possible, and to continue as the current user. */
function signInFailedPage(details: string, user: User | null, retryUrl: string | undefined): Html {
  return html`<h1>Sign-in failed</h1>
<p>${details}</p>
${retryUrl ? html`<p><a class="button" href="${retryUrl}">Sign in again</a></p>` : html``}
<p>${user ? html`<a href="${HOME}">Continue as ${user.email}</a>` : html`<a href="/">Go to the start page</a>`}</p>`
}

/** The default page after a sign-in (contract, section 5). */
const HOME = '/home'

/** Longer ones do not fit in the cookie of a sign-in, which browsers limit to 4,096 bytes. */
const MAX_LENGTH = 2000

/**
 * Checks the path to redirect to after a sign-in.
 * @throws InvalidInput for another site, for anything that browsers may treat as one, and for the API
 */
function returnPath(input: string | undefined, publicUrl: string): string {
  if (input === undefined) return HOME
  // Browsers read a backslash as a slash and drop tabs and line breaks, so /\evil.example is another site.
  // And /.//evil.example becomes //evil.example.
  const isPath = /^\/[\x21-\x5b\x5d-\x7e]*$/.test(input) && URL.canParse(input, publicUrl)
  const address = isPath ? new URL(input, publicUrl) : undefined
  const isOurs =
    address?.origin === new URL(publicUrl).origin && /^\/(?!\/|api(?:\/|$))/i.test(address.pathname)
  if (!address || !isOurs)
    throw new InvalidInput('return_to must be a percent-encoded path on this service, such as /home.')
  const path = address.pathname + address.search + address.hash
  return path.length > MAX_LENGTH ? HOME : path
}
