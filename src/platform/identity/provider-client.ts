import * as oidc from 'openid-client'
import type { IdentityProviderConfig } from '#src/platform/config/authentication.ts'
import { clientRefusal, RejectedClient } from './provider-errors.ts'

/** Values that the browser keeps between the start and the end of a sign-in. */
export interface SignInAttempt {
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  code_verifier: string
}

const TIMEOUT_SECONDS = 5

/** The secret of this service at the provider, and how to send it. */
export interface ClientSecret {
  readonly value: string
  /** Learned from the provider: it takes the secret in the body alone, though its metadata allows HTTP Basic. */
  isPostOnly: boolean
}

/** Reads the metadata of the provider. */
export const discovery = (
  { issuer, clientId }: IdentityProviderConfig,
  secret: ClientSecret,
): Promise<oidc.Configuration> =>
  oidc.discovery(new URL(issuer), clientId, undefined, clientAuthentication(secret), {
    timeout: TIMEOUT_SECONDS,
    execute: extensions(issuer),
  })

/** Settings allow http:// only for a provider on localhost. */
export const extensions = (address: string) => [
  oidc.enableNonRepudiationChecks,
  ...(address.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
]

/**
 * Sends the client secret with a method that the provider supports, HTTP Basic by default (OpenID Connect Discovery,
 * section 3).
 */
function clientAuthentication(secret: ClientSecret): oidc.ClientAuth {
  const [post, basic] = [oidc.ClientSecretPost(secret.value), oidc.ClientSecretBasic(secret.value)]
  return (server, ...request) =>
    (methodOf(server, secret.isPostOnly) === 'client_secret_post' ? post : basic)(server, ...request)
}

function methodOf(server: Readonly<oidc.ServerMetadata>, isPostOnly: boolean): string {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isPost = methods.includes('client_secret_post')
  return isPost && (isPostOnly || !methods.includes('client_secret_basic'))
    ? 'client_secret_post'
    : 'client_secret_basic'
}

export type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>

/**
 * Exchanges the code for tokens. A provider that allows both methods may still be set to take this client's secret in
 * the body alone, so that is tried once, and remembered if it works.
 * @throws RejectedClient
 */
export async function exchange(
  provider: oidc.Configuration,
  callback: URL,
  attempt: SignInAttempt,
  secret: ClientSecret,
): Promise<Tokens> {
  const send = () =>
    oidc.authorizationCodeGrant(provider, callback, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.code_verifier,
      idTokenExpected: true,
    })
  const server = provider.serverMetadata()
  const method = methodOf(server, secret.isPostOnly)
  try {
    return await send()
  } catch (error) {
    const reason = await clientRefusal(error)
    if (reason === undefined) throw error
    const otherMethod = methodOf(server, true)
    if (otherMethod === method) throw new RejectedClient([{ method, reason }], error)
    secret.isPostOnly = true
    return send().catch(async (second) => {
      const otherReason = await clientRefusal(second)
      if (otherReason === undefined) throw second
      secret.isPostOnly = false
      const refusals = [
        { method, reason },
        { method: otherMethod, reason: otherReason },
      ]
      throw new RejectedClient(refusals, second)
    })
  }
}
