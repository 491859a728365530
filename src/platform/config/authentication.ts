import { deflateRawSync } from 'node:zlib'
import { isSecureUrl } from '#src/platform/network/addresses.ts'
import { isAsciiEmailAddress } from '#src/platform/schema/email-address.ts'
import type { Settings } from './settings.ts'

/** Who may sign in, and how. */
export interface AuthenticationConfig {
  /**
   * The first secret signs sessions; all of them verify. Empty only in development, which generates one under
   * `DATA_DIR`.
   */
  readonly sessionSecrets: readonly string[]
  readonly identityProvider: IdentityProviderConfig | undefined
  readonly gateway: GatewayConfig | undefined
  /** Domains, in lower case, whose email addresses may all sign in. */
  readonly allowedDomains: readonly string[]
  /** Individual email addresses, in lower case, that may sign in. */
  readonly allowedEmails: readonly string[]
  /** Email addresses, in lower case, of users who become admins when the service starts. */
  readonly adminEmails: readonly string[]
  /** How long a session may be unused; `undefined`: until it expires. */
  readonly sessionIdleMs: number | undefined
}

export interface IdentityProviderConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whether to accept an email address when the provider omits `email_verified`. */
  readonly assumeVerified: boolean
}

/** An access gateway in front of the service. It signs users in and identifies them in a JWT. */
export interface GatewayConfig {
  readonly jwksUrl: string
  readonly issuer: string
  readonly audience: string
  /** The request header that carries the JWT, in lower case. */
  readonly header: string
}

/** HS256 requires a key of at least 256 bits (RFC 7518, section 3.2). */
const MIN_SECRET_LENGTH = 32
/** 32 random characters compress to more bytes than this, even from a small alphabet; repetitions to fewer. */
const MIN_COMPRESSED_BYTES = 24
/** A session expires after seven days anyway. */
const MAX_IDLE_HOURS = 168
const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/
const PROVIDER = ['IDP_ISSUER', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET'] as const
const GATEWAY = ['GATEWAY_JWKS_URL', 'GATEWAY_ISSUER', 'GATEWAY_AUDIENCE'] as const
const ASSUME_VERIFIED = { IDP_ASSUME_VERIFIED: 'false' } as const
const GATEWAY_HEADER = 'Cf-Access-Jwt-Assertion'
const PROTECTED = 'an https:// address (http:// for a server on this machine only)'

export function readAuthentication(settings: Settings, production: boolean): AuthenticationConfig {
  const sessionSecrets = readSecrets(settings, production)
  const identityProvider = readIdentityProvider(settings)
  const gateway = readGateway(settings)
  const allowedDomains = settings
    .list('ALLOWED_DOMAIN')
    .map((domain) => domain.toLowerCase().replace(/^@/, ''))
  if (!allowedDomains.every((domain) => DOMAIN.test(domain)))
    settings.reject('ALLOWED_DOMAIN', 'a domain such as example.com (write non-ASCII domains as xn--…)')
  const allowedEmails = settings.list('ALLOWED_EMAILS').map((email) => email.toLowerCase())
  if (!allowedEmails.every(isAsciiEmailAddress))
    settings.reject('ALLOWED_EMAILS', 'a comma-separated list of email addresses')

  const adminEmails = readAdmins(settings, { allowedDomains, allowedEmails })
  const idleHours = settings.wholeNumber('SESSION_IDLE_HOURS', 0, 0, MAX_IDLE_HOURS)

  const isConfigured = [...PROVIDER, ...GATEWAY].some((name) => settings.text(name) !== undefined)
  if (production && !isConfigured)
    settings.addError(
      'IDP_ISSUER',
      'production needs an identity provider (IDP_ISSUER, IDP_CLIENT_ID, IDP_CLIENT_SECRET) or an access gateway (GATEWAY_JWKS_URL, GATEWAY_ISSUER, GATEWAY_AUDIENCE)',
    )
  if ((production || identityProvider || gateway) && allowedDomains.length + allowedEmails.length === 0)
    settings.addError(
      'ALLOWED_DOMAIN',
      'is missing: set ALLOWED_DOMAIN or ALLOWED_EMAILS to choose who may sign in',
    )
  return Object.freeze({
    sessionSecrets: Object.freeze(sessionSecrets),
    identityProvider,
    gateway,
    allowedDomains: Object.freeze(allowedDomains),
    allowedEmails: Object.freeze(allowedEmails),
    adminEmails: Object.freeze(adminEmails),
    sessionIdleMs: idleHours === 0 ? undefined : idleHours * 3600_000,
  })
}

/** An admin who may not sign in would count as one and could do nothing. */
function readAdmins(
  settings: Settings,
  { allowedDomains, allowedEmails }: Pick<AuthenticationConfig, 'allowedDomains' | 'allowedEmails'>,
): string[] {
  const emails = settings.list('ADMIN_EMAILS').map((email) => email.toLowerCase())
  const isOpen = allowedDomains.length + allowedEmails.length === 0
  const maySignIn = (email: string) =>
    isOpen ||
    allowedEmails.includes(email) ||
    allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1))
  if (!emails.every((email) => isAsciiEmailAddress(email) && maySignIn(email)))
    settings.reject(
      'ADMIN_EMAILS',
      'a comma-separated list of email addresses that may sign in (ALLOWED_DOMAIN, ALLOWED_EMAILS)',
    )
  return emails
}

function readSecrets(settings: Settings, production: boolean): string[] {
  const secrets = settings.list('SESSION_SECRET')
  const advice = 'for example from openssl rand -base64 32'
  if (secrets.length === 0 && production)
    settings.addError('SESSION_SECRET', `is required in production, ${advice}`)
  const isStrong = (secret: string) =>
    secret.length >= MIN_SECRET_LENGTH && deflateRawSync(secret).length >= MIN_COMPRESSED_BYTES
  if (!secrets.every(isStrong))
    settings.addError(
      'SESSION_SECRET',
      `must be at least ${MIN_SECRET_LENGTH} random characters, ${advice}; separate several with commas, newest first`,
    )
  return secrets
}

/** Reads settings that must be set together. Returns `undefined` if any of them is missing. */
function readTogether<const N extends readonly string[]>(
  settings: Settings,
  names: N,
): { [K in N[number]]: string } | undefined {
  const values = names.map((name) => settings.text(name))
  if (values.every((value) => value === undefined)) return undefined
  for (const [index, name] of names.entries())
    if (values[index] === undefined) settings.addError(name, `is missing: set ${names.join(', ')} together`)
  if (values.includes(undefined)) return undefined
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as { [K in N[number]]: string }
}

function readIdentityProvider(settings: Settings): IdentityProviderConfig | undefined {
  const values = readTogether(settings, PROVIDER)
  const assumeVerified =
    settings.oneOf('IDP_ASSUME_VERIFIED', ASSUME_VERIFIED.IDP_ASSUME_VERIFIED, ['true', 'false']) === 'true'
  if (!PROVIDER.some((name) => settings.text(name)))
    settings.warnIfUnused(ASSUME_VERIFIED, `${PROVIDER.join(', ')} are set`)
  if (!values) return undefined
  if (!isSecureUrl(values.IDP_ISSUER)) settings.reject('IDP_ISSUER', PROTECTED)
  return Object.freeze({
    issuer: values.IDP_ISSUER,
    clientId: values.IDP_CLIENT_ID,
    clientSecret: values.IDP_CLIENT_SECRET,
    assumeVerified,
  })
}

function readGateway(settings: Settings): GatewayConfig | undefined {
  const header = (settings.text('GATEWAY_HEADER') ?? GATEWAY_HEADER).toLowerCase()
  if (!/^[a-z0-9-]+$/.test(header) || ['authorization', 'cookie', 'x-user-email'].includes(header))
    settings.reject('GATEWAY_HEADER', 'the name of the header that the gateway adds to requests')
  const values = readTogether(settings, GATEWAY)
  if (!GATEWAY.some((name) => settings.text(name)))
    settings.warnIfUnused({ GATEWAY_HEADER }, `${GATEWAY.join(', ')} are set`)
  if (!values) return undefined
  if (!isSecureUrl(values.GATEWAY_JWKS_URL)) settings.reject('GATEWAY_JWKS_URL', PROTECTED)
  return Object.freeze({
    jwksUrl: values.GATEWAY_JWKS_URL,
    issuer: values.GATEWAY_ISSUER,
    audience: values.GATEWAY_AUDIENCE,
    header,
  })
}
