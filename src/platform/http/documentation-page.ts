import { createHash } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#src/platform/config/config.ts'

/** Serves interactive documentation of `/openapi.json` at `/docs`. Its script is a file of the service. */
export async function registerDocumentationPage(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Promise<void> {
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, payload) => {
      if (String(reply.getHeader('content-type')).startsWith('text/html'))
        reply.header('content-security-policy', contentSecurityPolicy(String(payload), publicUrl))
      return payload
    })
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
        metaData: { title: 'deal-pipeline API' },
      },
    })
  })
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
