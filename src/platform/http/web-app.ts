import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import escapeHtml from 'escape-html'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Html, prefersHtml, sendHtml } from './html.ts'

/**
 * Allows only our own scripts, and those in the page by their hashes (CSP Level 3, section 8.4). Mantine, the web app's UI
 * library, inserts style elements.
 */
const contentSecurityPolicy = (page: string): string =>
  [`script-src ${["'self'", ...scriptHashes(page)].join(' ')}`, ...OTHER_POLICIES].join('; ')

const scriptHashes = (page: string): string[] =>
  [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

const OTHER_POLICIES = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

/**
 * The worker that reads PDFs has a policy of its own, as each script of a worker. Scanned pages need decoders in WebAssembly;
 * it can load nothing and run no other script (ADR 42).
 */
const PDF_WORKER = /\/assets\/pdf\.worker[\w.-]*\.mjs(?:\.br|\.gz)?$/
const PDF_WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'"

/** The output folder of `npm run build:web`, or `undefined` if it has not run. */
export function builtWebApp(): string | undefined {
  const folder = path.resolve(import.meta.dirname, '../../../web/dist')
  return existsSync(path.join(folder, 'index.html')) ? folder : undefined
}

interface Parts {
  /** The folder of the built web app. */
  folder: string | undefined
  version: string
  /** The URLs of the screens; the web app's router distinguishes them. */
  pages: readonly string[]
  /** The name that the page shows; without one it has its own. */
  workspaceName: string | undefined
  /** The page to show if the web app is not built. */
  welcome: Html
}

/** Paths for programs, which get JSON instead of a page for a 404. */
const PROGRAM_PATHS = /^\/(?:api|assets|static|docs)(?:[/?]|$)/

/** Whether a browser navigates to this URL. */
export const isVisit = (request: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(request.method) && prefersHtml(request) && !PROGRAM_PATHS.test(request.url)

/**
 * Serves the web app: its page at each screen's URL, and its files under `/static/`.
 * @returns a handler for page visits to unknown URLs; the web app shows the error
 */
export async function registerWebApp(
  app: FastifyInstance,
  { folder, version, pages, workspaceName, welcome }: Parts,
) {
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.routeOptions.url === '/' && !prefersHtml(request)) return reply.send(startingPoints(version))
    // Read on every request: the page refers to hashed files, which change if the web app is rebuilt while the
    // service runs.
    const page = folder && (await readFile(path.join(folder, 'index.html'), 'utf8'))
    if (!folder || !page) return sendHtml(reply, 'deal-pipeline', welcome)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy(page))
      .header('cache-control', 'no-cache')
      .send(workspaceName ? withName(page, workspaceName) : page)
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
        if (PDF_WORKER.test(file)) reply.header('content-security-policy', PDF_WORKER_POLICY)
      },
    })
  const withSlash = new RegExp(`^(${pages.join('|').replaceAll(':id', '[^/?]+')})/(\\?.*)?$`)
  return (request: FastifyRequest, reply: FastifyReply) => {
    const [, screen, search = ''] = withSlash.exec(request.url) ?? []
    return screen ? reply.redirect(screen + search, 308) : sendPage(request, reply.code(404))
  }
}

/** Replaces the title of a page and its application name. */
const withName = (page: string, name: string): string =>
  page.replace(
    /(<title>|<meta name="application-name" content=")[^<"]*/g,
    (_all, before: string) => before + escapeHtml(name),
  )

/** Files whose names do not contain a hash of their content. */
const UNVERSIONED = ['/favicon.svg']

/** The response of `/` to programs. */
const startingPoints = (version: string) => ({
  name: 'deal-pipeline',
  version,
  documentation: '/docs',
  openapi: '/openapi.json',
  health: '/healthz',
  readiness: '/readyz',
})
