import { deflateRawSync } from 'node:zlib'
import { isProtectedAddress } from '#src/platform/network/addresses.ts'
import { isAsciiEmailAddress } from '#src/platform/schema/shapes.ts'
import type { Settings } from './settings.ts'

/** Who may sign in, and how. */
export interface AuthenticationConfig {
  /** The first signs sessions, all of them verify. Empty, in development only: one is made under `DATA_DIR`. */
  readonly sessionSecrets: readonly string[]
  readonly identityProvider: IdentityProviderConfig | undefined
  readonly gateway: GatewayConfig | undefined
  /** Domains whose every e-mail address may sign in, in lower case. */
  readonly allowedDomains: readonly string[]
  /** Single e-mail addresses that may sign in, in lower case. */
  readonly allowedEmails: readonly string[]
}

export interface IdentityProviderConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whether an email address is accepted that the provider does not call verified, nor unverified. */
  readonly assumeVerified: boolean
}

/** An access gateway in front of the service, which signs people in and says who they are in a JWT. */
export interface GatewayConfig {
  readonly jwksUrl: string
  readonly issuer: string
  readonly audience: string
  /** The request header that carries the JWT, in lower case. */
  readonly header: string
}

/** HS256 wants a key of at least 256 bits (RFC 7518, section 3.2). */
const MIN_SECRET_LENGTH = 32
/** 32 random characters of a small alphabet take more than these bytes when compressed; repetitions take fewer. */
const MIN_COMPRESSED_BYTES = 24
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
    settings.refuse('ALLOWED_DOMAIN', 'a domain such as example.com (one with letters beyond a-z as xn--…)')
  const allowedEmails = settings.list('ALLOWED_EMAILS').map((email) => email.toLowerCase())
  if (!allowedEmails.every(isAsciiEmailAddress))
    settings.refuse('ALLOWED_EMAILS', 'e-mail addresses with commas between them')

  const isBegun = [...PROVIDER, ...GATEWAY].some((name) => settings.text(name) !== undefined)
  if (production && !isBegun)
    settings.demand(
      'IDP_ISSUER',
      'production needs an identity provider (IDP_ISSUER, IDP_CLIENT_ID, IDP_CLIENT_SECRET) or an access gateway (GATEWAY_JWKS_URL, GATEWAY_ISSUER, GATEWAY_AUDIENCE)',
    )
  if ((production || identityProvider || gateway) && allowedDomains.length + allowedEmails.length === 0)
    settings.demand('ALLOWED_DOMAIN', 'is missing: say who may sign in by ALLOWED_DOMAIN or ALLOWED_EMAILS')
  return Object.freeze({
    sessionSecrets: Object.freeze(sessionSecrets),
    identityProvider,
    gateway,
    allowedDomains: Object.freeze(allowedDomains),
    allowedEmails: Object.freeze(allowedEmails),
  })
}

function readSecrets(settings: Settings, production: boolean): string[] {
  const secrets = settings.list('SESSION_SECRET')
  const advice = 'such as openssl rand -base64 32 prints'
  if (secrets.length === 0 && production) settings.demand('SESSION_SECRET', `production needs one, ${advice}`)
  const isStrong = (secret: string) =>
    secret.length >= MIN_SECRET_LENGTH && deflateRawSync(secret).length >= MIN_COMPRESSED_BYTES
  if (!secrets.every(isStrong))
    settings.demand(
      'SESSION_SECRET',
      `must be at least ${MIN_SECRET_LENGTH} random characters, ${advice}; several with commas between them, the newest first`,
    )
  return secrets
}

/** Settings that make sense together only; `undefined` when none of them is there, or not all. */
function readTogether<const N extends readonly string[]>(
  settings: Settings,
  names: N,
): { [K in N[number]]: string } | undefined {
  const values = names.map((name) => settings.text(name))
  if (values.every((value) => value === undefined)) return undefined
  for (const [index, name] of names.entries())
    if (values[index] === undefined) settings.demand(name, `is missing; it goes with ${names.join(', ')}`)
  if (values.includes(undefined)) return undefined
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as { [K in N[number]]: string }
}

function readIdentityProvider(settings: Settings): IdentityProviderConfig | undefined {
  const values = readTogether(settings, PROVIDER)
  const assumeVerified =
    settings.oneOf('IDP_ASSUME_VERIFIED', ASSUME_VERIFIED.IDP_ASSUME_VERIFIED, ['true', 'false']) === 'true'
  if (!PROVIDER.some((name) => settings.text(name)))
    settings.warnOfIdle(ASSUME_VERIFIED, `${PROVIDER.join(', ')} name an identity provider`)
  if (!values) return undefined
  if (!isProtectedAddress(values.IDP_ISSUER)) settings.refuse('IDP_ISSUER', PROTECTED)
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
    settings.refuse('GATEWAY_HEADER', 'the name of the header that the gateway adds')
  const values = readTogether(settings, GATEWAY)
  if (!GATEWAY.some((name) => settings.text(name)))
    settings.warnOfIdle({ GATEWAY_HEADER }, `${GATEWAY.join(', ')} name a gateway`)
  if (!values) return undefined
  if (!isProtectedAddress(values.GATEWAY_JWKS_URL)) settings.refuse('GATEWAY_JWKS_URL', PROTECTED)
  return Object.freeze({
    jwksUrl: values.GATEWAY_JWKS_URL,
    issuer: values.GATEWAY_ISSUER,
    audience: values.GATEWAY_AUDIENCE,
    header,
  })
}
