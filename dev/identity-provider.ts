import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import escapeHtml from 'escape-html'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration, type InteractionResults, interactionPolicy } from 'oidc-provider'
import { ACCOUNTS, type Account } from './users.ts'

export const CLIENT_ID = 'deal-pipeline'
export const CLIENT_SECRET = 'only-for-development'

export interface Options {
  /** 0 selects a free port. */
  port?: number
  accounts?: Account[]
}

export interface RunningProvider {
  issuer: string
  close(): Promise<void>
}

/**
 * Starts a real OpenID Connect provider on this machine, for development and tests. Its pages let a person pick an
 * account without a password, and allow or deny the sign-in. It accepts redirects to any port of localhost.
 */
export async function startIdentityProvider({
  port = 0,
  accounts = ACCOUNTS,
}: Options = {}): Promise<RunningProvider> {
  const server = createServer().listen(port, 'localhost')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, await configuration(accounts))
  const handle = provider.callback()
  server.on('request', (request, response) => {
    const [, id, step] = /^\/interaction\/([^/?]+)(?:\/(login|allow|deny))?$/.exec(request.url ?? '') ?? []
    const work = id ? interact({ provider, accounts, request, response, step }) : handle(request, response)
    work.catch((error) => response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error)))
  })
  return {
    issuer,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function configuration(accounts: Account[]): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        // A native client may redirect to any loopback port (RFC 8252, section 7.3).
        application_type: 'native',
        redirect_uris: ['http://localhost/api/auth/idp', 'http://127.0.0.1/api/auth/idp'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [crypto.randomUUID()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}`, policy: withAccountChoice() },
    findAccount: (_context, id) => {
      const account = accounts.find(({ sub }) => sub === id)
      return account && { accountId: id, claims: () => ({ ...account }) }
    },
    ttl: { Interaction: 600, Session: 86_400, Grant: 86_400, AccessToken: 600, IdToken: 600 },
  }
}

/** Supports `prompt=select_account`. */
function withAccountChoice() {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return policy
}

interface Interaction {
  provider: Provider
  accounts: Account[]
  request: IncomingMessage
  response: ServerResponse
  step: string | undefined
}

/** Serves the pages of a sign-in: choosing an account, and consent. */
async function interact({ provider, accounts, request, response, step }: Interaction): Promise<void> {
  const { uid, prompt, session, params, grantId } = await provider.interactionDetails(request, response)
  const finish = (result: InteractionResults) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  const address = `/interaction/${uid}`

  if (request.method !== 'POST') {
    const isLogin = ['login', 'select_account'].includes(prompt.name)
    const body = isLogin ? loginForm(address, accounts) : consentForm(address)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(body))
  } else if (step === 'login') {
    const accountId = (await formOf(request)).get('account') ?? ''
    await finish({ login: { accountId }, select_account: {} })
  } else if (step === 'allow') {
    const owner = { accountId: session?.accountId as string, clientId: params.client_id as string }
    const grant = (grantId && (await provider.Grant.find(grantId))) || new provider.Grant(owner)
    grant.addOIDCScope('openid email profile')
    await finish({ consent: { grantId: await grant.save() } })
  } else {
    await finish({ error: 'access_denied', error_description: 'The user denied the request.' })
  }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

const page = (body: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Identity provider for development</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { max-width: 32rem; margin: 12vh auto; padding: 0 1.5rem }
  form { display: inline } button { font: inherit; margin: 0.2rem 0; padding: 0.4rem 1rem; cursor: pointer }
  .account { display: block; width: 100%; text-align: left }
</style>
<body>${body}</body></html>
`

const loginForm = (address: string, accounts: Account[]) => `<h1>Who are you?</h1>
<p>This identity provider is for development and needs no password.</p>
<form method="post" action="${address}/login">
${accounts
  .map(
    ({ sub, name, email }) =>
      `<button class="account" name="account" value="${escapeHtml(sub)}">${escapeHtml(name)}<br><small>${escapeHtml(email)}</small></button>`,
  )
  .join('\n')}
</form>
<form method="post" action="${address}/deny"><button>Cancel</button></form>`

const consentForm = (address: string) => `<h1>Sign in to deal-pipeline?</h1>
<p>It will see your name, email address and picture.</p>
<form method="post" action="${address}/allow"><button>Allow</button></form>
<form method="post" action="${address}/deny"><button>Deny</button></form>`
