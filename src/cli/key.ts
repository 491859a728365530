import type { Client } from '#src/client/client.ts'
import { ROLES, type Role, SCOPES, type Scope } from '#src/client/limits.ts'
import { InputError } from './input-error.ts'
import { parseDuration, signToken } from './token.ts'

interface Options {
  name: string
  /** Separated by commas. */
  scopes: string
  role?: string | undefined
  /** A duration, or `never`. */
  expires?: string | undefined
  /** Signs in as this user with the secret of this machine. */
  email?: string | undefined
}

/** Enough for one request. */
const TOKEN_SECONDS = 60

/**
 * `key create`: creates an API key and prints it.
 * @param clientWith a client that sends this token, or the one of the command line
 * @throws InputError for an unknown scope or role, or a wrong duration
 */
export async function createKeyCommand(
  clientWith: (token?: string) => Client,
  { name, scopes, role, expires, email }: Options,
): Promise<number> {
  const body = {
    name,
    scopes: scopes.split(',').map((scope) => knownWord(scope.trim(), SCOPES, '--scopes') as Scope),
    ...(role === undefined ? {} : { role: knownWord(role, ROLES, '--role') as Role }),
    ...(expires === undefined ? {} : { expires_at: expiryOf(expires) }),
  }
  const client = clientWith(email === undefined ? undefined : (await signToken(email, TOKEN_SECONDS)).token)
  const { data } = await client.createKey({ body })
  console.log(data.key)
  console.error(
    `${data.id} of ${data.user_email}: ${data.scopes.join(', ')}, as ${data.role}, until ${data.expires_at ?? 'it is revoked'}. It is not shown again. Send it as "Authorization: Bearer KEY".`,
  )
  return 0
}

const expiryOf = (expires: string): string | null =>
  expires === 'never' ? null : new Date(Date.now() + parseDuration(expires) * 1000).toISOString()

function knownWord(word: string, known: readonly string[], option: string): string {
  if (known.includes(word)) return word
  throw new InputError(`${option} must be among ${known.join(', ')}, not "${word}".`)
}
