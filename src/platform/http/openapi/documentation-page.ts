import { createHash } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'
import { memoize } from '#src/platform/single-flight.ts'

const HEADERS = ['content-type', 'location', 'cache-control', 'etag']

/** Serves interactive documentation of `/openapi.json` at `/docs`. Its script is a file of the service. */
export function registerDocumentationPage(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): void {
  const documentation = memoize(createDocumentation)
  for (const path of ['/docs', '/docs/*'])
    app.get(path, { schema: { hide: true } as object }, async ({ url }, reply) => {
      const answer = await (await documentation()).inject({ url })
      if (answer.statusCode === 404) return reply.callNotFound()
      for (const name of HEADERS) {
        const value = answer.headers[name]
        if (value !== undefined) reply.header(name, value)
      }
      if (String(answer.headers['content-type']).startsWith('text/html'))
        reply.header('content-security-policy', contentSecurityPolicy(answer.body, publicUrl))
      return reply.code(answer.statusCode).send(answer.rawPayload)
    })
}

/** An application of its own, made when the page is first opened: loading it takes a fifth of the startup time. */
async function createDocumentation(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const documentation = fastify()
  await documentation.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      // It would tell a foreign host the address of this service.
      hideClientButton: true,
      customCss: '.darklight-reference a { display: none }',
      metaData: { title: 'deal-pipeline API' },
    },
  })
  return documentation
}

/**
 * Allows our own scripts and, by its hash, the short one of this page that holds the configuration. Scalar inserts style
 * elements, and "Test Request" sends requests to `publicUrl`.
 */
const contentSecurityPolicy = (page: string, publicUrl: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${inlineScripts(page).map(hashSource).join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${publicUrl}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)

const hashSource = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`
