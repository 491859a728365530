import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Html, prefersHtml, sendHtml } from './html.ts'

/** Scripts of our own only. Mantine, which the web app is built of, writes style elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Where `npm run build:web` puts the web app; undefined: it has not been built. */
export function builtWebApp(): string | undefined {
  const folder = path.resolve(import.meta.dirname, '../../../web/dist')
  return existsSync(path.join(folder, 'index.html')) ? folder : undefined
}

interface Parts {
  /** Of the built web app. */
  folder: string | undefined
  version: string
  /** The screens' addresses; the web app's router tells them apart. */
  pages: readonly string[]
  /** What `/` shows while the web app is not built. */
  welcome: Html
}

/** Where programs ask: what is not there is not told of by a page. */
const OF_PROGRAMS = /^\/(?:api|assets|static|docs)(?:[/?]|$)/

/** Whether a person has followed an address to here. */
export const isVisit = (request: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(request.method) && prefersHtml(request) && !OF_PROGRAMS.test(request.url)

/**
 * Serves the web app: a page at each screen's address, and what it loads under `/static/`.
 * @returns what answers a visit to an address that is no screen's: the web app says so itself
 */
export async function registerWebApp(app: FastifyInstance, { folder, version, pages, welcome }: Parts) {
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.routeOptions.url === '/' && !prefersHtml(request)) return reply.send(startingPoints(version))
    // Each time anew: it names its files, and these are others when the web app is built while the service runs.
    const page = folder && (await readFile(path.join(folder, 'index.html')))
    if (!page) return sendHtml(reply, 'deal-pipeline', welcome)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .header('cache-control', 'no-cache')
      .send(page)
  }
  for (const url of pages) app.get(url, { schema: { hide: true } }, sendPage)
  if (folder)
    await app.register(fastifyStatic, {
      root: folder,
      prefix: '/static/',
      schemaHide: true,
      decorateReply: false,
      index: false,
      preCompressed: true,
      allowedPath: (file) => file.startsWith('/assets/') || UNVERSIONED.includes(file),
      cacheControl: false,
      setHeaders: (reply, file) => {
        const isVersioned = path.dirname(file).endsWith('assets')
        reply.header('cache-control', isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  const withSlash = new RegExp(`^(${pages.join('|').replaceAll(':id', '[^/?]+')})/(\\?.*)?$`)
  return (request: FastifyRequest, reply: FastifyReply) => {
    const [, screen, search = ''] = withSlash.exec(request.url) ?? []
    return screen ? reply.redirect(screen + search, 308) : sendPage(request, reply.code(404))
  }
}

/** Files whose names do not change with what is in them. */
const UNVERSIONED = ['/favicon.svg', '/color-scheme.js']

/** `/` for programs. */
const startingPoints = (version: string) => ({
  name: 'deal-pipeline',
  version,
  documentation: '/docs',
  openapi: '/openapi.json',
  health: '/healthz',
  readiness: '/readyz',
})
