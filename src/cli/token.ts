import { isAllowed } from '#src/platform/identity/allowlist.ts'
import { createSessions } from '#src/platform/identity/session.ts'
import { sessionSecrets } from '#src/platform/identity/session-secret.ts'
import { signWorkerToken, WORKER_EMAIL } from '#src/platform/identity/worker-token.ts'
import { InputError } from './input-error.ts'
import { readConfig } from './read-config.ts'

const UNITS = { m: 60, h: 3600, d: 86_400 } as const
const MAX_TOKEN_SECONDS = 366 * UNITS.d

/**
 * `token`: prints a bearer token for a script. It signs the token with the service's secret, so it must run where the
 * service runs, with the same settings. The service need not be running.
 * @param email the user; undefined for a token of an external worker
 */
export async function tokenCommand(email: string | undefined, expires: string): Promise<number> {
  const seconds = parseDuration(expires)
  const { token, config, address } = await signToken(email, seconds)
  console.log(token)
  const secret =
    config.authentication.sessionSecrets.length > 0
      ? 'SESSION_SECRET'
      : `the secret stored in ${config.dataFolder}`
  const until = new Date(Date.now() + seconds * 1000).toISOString()
  console.error(
    `For ${address}, until ${until}, signed with ${secret}. Send it as "Authorization: Bearer TOKEN".`,
  )
  return 0
}

/**
 * Signs a token with the secret in the settings of this machine.
 * @param email the user; undefined for the worker
 * @throws InputError for a user who may not sign in
 */
export async function signToken(email: string | undefined, seconds: number) {
  const config = readConfig()
  if (email !== undefined && !isAllowed(email, config.authentication))
    throw new InputError(
      `--email must be an email address that may sign in (ALLOWED_DOMAIN, ALLOWED_EMAILS), not "${email}".`,
    )
  const address = email?.toLowerCase() ?? WORKER_EMAIL
  const sessions = createSessions(await sessionSecrets(config))
  const token =
    email === undefined
      ? await signWorkerToken(sessions, seconds)
      : await sessions.sign({ sub: `token:${address}`, email: address }, seconds)
  return { token, config, address }
}

/** @throws InputError */
export function parseDuration(duration: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(duration) ?? []
  const seconds = Number(count) * (UNITS[unit as keyof typeof UNITS] ?? Number.NaN)
  if (seconds > 0 && seconds <= MAX_TOKEN_SECONDS) return seconds
  throw new InputError(
    `--expires must be a duration of up to 366 days, such as 30d, 12h or 90m, not "${duration}".`,
  )
}
