import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { insertKey } from '#src/features/keys/store.ts'
import {
  type Action,
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from '#src/platform/http/security/permissions.ts'
import { hashKey, newKey, shownPrefix } from '#src/platform/identity/api-key.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { bearer, type Headers, sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { PRODUCTION } from '#src/testing/settings.ts'

export interface Route {
  method: string
  url: string
  action: Action | undefined
  isOpen: boolean
}

/** A way to call the API, and the permission that it needs. */
export interface Credential {
  name: string
  headers: Headers
  kind: 'none' | 'user' | 'key' | 'worker'
  role: Role
  scope?: Scope
}

const GATEWAY = { issuer: 'https://gateway.example', audience: 'deals', header: 'x-gateway' }

export const emailOf = (role: Role) => `${role}@example.com`

/** A service in production mode with an access gateway. */
export interface ProductionService extends TestApp {
  /** Every method of each route of the API. */
  routes: Route[]
  gatewayToken: (email: string) => Promise<string>
}

export async function productionService(): Promise<ProductionService> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }
  const keyServer = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })))
  await once(keyServer.listen(0, '127.0.0.1'), 'listening')
  const gatewayToken = (email: string) =>
    new SignJWT({ email })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer(GATEWAY.issuer)
      .setAudience(GATEWAY.audience)
      .setExpirationTime('1h')
      .sign(privateKey)
  const routes: Route[] = []
  const watch = (message: unknown) => collectRoutes(message as { fastify: FastifyInstance }, routes)
  subscribe('fastify.initialization', watch)
  const api = await testApp({
    ...PRODUCTION,
    GATEWAY_JWKS_URL: `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/`,
    GATEWAY_ISSUER: GATEWAY.issuer,
    GATEWAY_AUDIENCE: GATEWAY.audience,
    GATEWAY_HEADER: GATEWAY.header,
  })
  unsubscribe('fastify.initialization', watch)
  await api.app.ready()
  const close = async () => {
    await api.close()
    keyServer.close()
  }
  return { ...api, routes, gatewayToken, close }
}

function collectRoutes({ fastify }: { fastify: FastifyInstance }, routes: Route[]): void {
  fastify.addHook('onRoute', ({ method, url, schema }) => {
    if (!/^\/(?:api|assets)\//.test(url)) return
    const { 'x-action': action, 'x-open': isOpen = false } = schema as {
      'x-action'?: Action
      'x-open'?: boolean
    }
    for (const one of [method].flat()) routes.push({ method: one, url, action, isOpen })
  })
}

/** None, and for each role a session, a gateway token, and a key with each scope. */
export async function productionCredentials(service: ProductionService): Promise<Credential[]> {
  const { access, sessions } = service.context
  const header = { 'x-user-email': emailOf('admin') }
  const worker = bearer(await signWorkerToken(sessions, 600))
  const credentials: Credential[] = [
    { name: 'no credential', kind: 'none', role: 'viewer', headers: {} },
    { name: 'development header', kind: 'none', role: 'admin', headers: header },
    { name: 'worker token', kind: 'worker', role: 'member', headers: worker },
  ]
  for (const role of ROLES) {
    const email = await userWithRole(service, emailOf(role), role)
    const session = await sessionCookieOf(service, email)
    const gateway = { [GATEWAY.header]: await service.gatewayToken(email) }
    credentials.push({ name: `session of a ${role}`, kind: 'user', role, headers: session })
    credentials.push({ name: `gateway token of a ${role}`, kind: 'user', role, headers: gateway })
    for (const scope of SCOPES) {
      const headers = bearer(await storeKey(service, email, scope))
      credentials.push({ name: `${scope} key of a ${role}`, kind: 'key', role, scope, headers })
    }
  }
  await access.refresh()
  return credentials
}

/** The key's own role is admin: that of its owner is what limits it. */
async function storeKey({ context: { db } }: TestApp, user_email: string, scope: Scope): Promise<string> {
  const key = newKey()
  await insertKey(db, {
    ...{ id: newId('key'), name: scope, user_email, scopes: [scope], role: 'admin' },
    ...{ hash: hashKey(key), prefix: shownPrefix(key), created_at: new Date(), expires_at: null },
  })
  return key
}

/** What the table alone says about a route and a credential. */
export function expectedOutcome(
  { action, isOpen }: Route,
  { kind, role, scope }: Credential,
): 'open' | 'allowed' | 401 | 403 {
  if (isOpen) return 'open'
  if (kind === 'none') return 401
  const permission: Permission = PERMISSIONS[action as Action]
  const hasRole = permission.role !== null && ROLES.indexOf(role) >= ROLES.indexOf(permission.role)
  if (kind === 'user') return hasRole ? 'allowed' : 403
  if (kind === 'worker') return hasRole || permission.scopes.includes('worker') ? 'allowed' : 403
  if (!permission.scopes.includes(scope as Scope) || (scope === 'worker' && role !== 'admin')) return 403
  return hasRole || scope === 'worker' ? 'allowed' : 403
}
