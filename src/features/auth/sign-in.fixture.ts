import { after, before } from 'node:test'
import { pino } from 'pino'
import { type Answer, type Browser, HTML } from '#dev/browser.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type RunningProvider,
  startIdentityProvider,
} from '#dev/identity-provider.ts'
import { ACCOUNTS, type Account } from '#dev/users.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freePort } from '#src/testing/free-port.ts'
import { PRODUCTION } from '#src/testing/settings.ts'

export const ODD_ADDRESSES = {
  spaces: ' ada@example.com ',
  inside: 'a da@example.com',
  homograph: 'ada@exаmple.com',
  kelvin: 'ada@\u212Ariminal.example',
  long: `${'x'.repeat(10_000)}@example.com`,
  list: 'ada@example.com,eve@evil.example',
  subdomain: 'ada@sub.example.com',
  suffix: 'ada@example.com.evil.org',
  none: '',
}
export const accounts: Account[] = [
  ...ACCOUNTS,
  ...Object.entries(ODD_ADDRESSES).map(([sub, email]) => ({ sub, name: sub, email, email_verified: true })),
  { sub: 'unsaid', name: 'Uma Sayed', email: 'uma@example.com' },
  { sub: 'listed', name: `<b>\0 ${'N'.repeat(9000)}`, email: 'partner@Other.example', email_verified: true },
]

let provider: RunningProvider
export let service: Service

/** Starts the identity provider and the service before the tests of a file. */
export function startBeforeTests(): void {
  before(async () => {
    provider = await startIdentityProvider({ accounts })
    service = await startService()
  })
  after(async () => {
    await service.api.close()
    await provider.close()
  })
}

export interface Service {
  url: string
  api: TestApp
  log: string[]
}

/** Starts a service in production mode, with the identity provider. */
export async function startService(settings: Record<string, string> = {}): Promise<Service> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const log: string[] = []
  const api = await testApp(
    {
      ...PRODUCTION,
      PUBLIC_URL: url,
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: CLIENT_ID,
      IDP_CLIENT_SECRET: CLIENT_SECRET,
      ALLOWED_DOMAIN: 'Example.com, kriminal.example',
      ALLOWED_EMAILS: 'partner@other.example',
      ...settings,
    },
    { log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }) },
  )
  await api.app.listen({ port, host: 'localhost' })
  return { url, api, log }
}

/** Signs in as this account on the provider's pages. */
export async function signIn(
  browser: Browser,
  account: string,
  { url } = service,
  start = '/api/auth/idp',
  stopAt?: RegExp,
): Promise<Answer> {
  const page = await browser.visit(url + start, { headers: HTML })
  const chosen = page.body.includes('Who are you?') ? await browser.press(page, account) : page
  // Changing accounts first ends the other session at the provider; in browsers, a script does this.
  const next = chosen.body.includes('Continue</button>') ? await browser.press(chosen, 'Continue') : chosen
  return next.body.includes('Allow') ? browser.press(next, 'Allow', stopAt) : next
}
