import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Config } from '#src/platform/config/config.ts'
import { errorAnswer } from '#src/platform/errors.ts'
import { SESSION_COOKIE } from '#src/platform/identity/identity.ts'
import { ErrorBody } from '#src/platform/schema/shapes.ts'
import { isLimited, isOpen } from './request-policy.ts'

interface Settings {
  version: string
  config: Config
  description: string
  /** The names of the operations' groups, in their order. */
  tags: readonly string[]
}

/** The errors that any operation may answer with. */
const ERRORS = {
  400: 'The input is not valid.',
  401: 'No user, or a credential that is not valid.',
  403: 'The user may not do this, or the request comes from a page of another site.',
  404: 'There is no such record.',
  409: 'Another record has this value, which must be unique.',
  413: 'The body is too large.',
  415: 'The media type is not one that this route takes.',
  500: 'Something went wrong in the service.',
  503: 'Something that the service depends on is out of reach.',
}

const CHANGED_ERROR = {
  412: 'The record has changed since the time that `If-Match` names; nothing was changed.',
}

const LIMIT_ERROR = { 429: 'Too many requests in this minute; `Retry-After` says how many seconds to wait.' }

const seconds = { type: 'integer', description: 'Seconds.' }
const requests = { type: 'integer', description: 'Requests.' }
const LIMIT_HEADERS = {
  'Retry-After': seconds,
  'RateLimit-Limit': requests,
  'RateLimit-Remaining': requests,
  'RateLimit-Reset': seconds,
}

/** Serves the OpenAPI document at `/openapi.json` and a page to read and try it at `/docs`. */
export async function registerDocumentation(
  app: FastifyInstance,
  { version, config, description, tags }: Settings,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'deal-pipeline', version, description },
      servers: [{ url: config.publicUrl }],
      tags: tags.map((name) => ({ name })),
      components: {
        securitySchemes: securitySchemes(config),
      },
      security: [
        ...Object.keys(securitySchemes(config)).map((name) => ({ [name]: [] })),
        ...(config.production ? [] : [{}]),
      ],
    },
    transform: ({ schema, url }) => ({ schema: withErrors(schema, url), url }),
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(scalar, {
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
}

/** The ways to say who is asking that this service takes. */
function securitySchemes({
  production,
  authentication,
}: Config): Record<string, OpenAPIV3_1.SecuritySchemeObject> {
  const { gateway } = authentication
  return {
    session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
    token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    ...(gateway ? { gateway: { type: 'apiKey', in: 'header', name: gateway.header } as const } : {}),
    ...(production
      ? {}
      : { developmentUser: { type: 'apiKey', in: 'header', name: 'X-User-Email' } as const }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: Fastify's own type of a schema to document
function withErrors(schema: any, url: string) {
  if (!schema?.operationId) return schema
  const possible = {
    ...ERRORS,
    ...(schema.headers?.properties?.['if-match'] ? CHANGED_ERROR : {}),
    ...(isLimited(url) && schema['x-rate-class'] !== 'none' ? LIMIT_ERROR : {}),
  }
  const general = Object.entries(possible).map(([status, description]) => [
    status,
    answerOf(status, { description, ...(status === '429' ? { headers: LIMIT_HEADERS } : {}) }),
  ])
  const own = Object.entries(schema.response as Record<string, Answer>).map(([status, answer]) => [
    status,
    answerOf(status, answer),
  ])
  const { documentedHeaders, ...documented } = schema
  return {
    ...documented,
    ...(documentedHeaders ? { headers: documentedHeaders } : {}),
    ...fileBody(schema.consumes),
    ...(isLimited(url) ? { 'x-rate-class': schema['x-rate-class'] ?? 'standard' } : {}),
    ...(isOpen(url, schema) ? { security: [] } : {}),
    response: { ...Object.fromEntries(own), ...Object.fromEntries(general) },
  }
}

interface Answer {
  description?: string
  headers?: object
}

/** An answer as swagger takes it: a success is a schema; an error is JSON, whatever a success is. */
function answerOf(status: string, answer: Answer): object {
  if (Number(status) < 400) return { description: 'Success.', ...answer }
  const { description = '', headers } = answer
  const example = errorAnswer(Number(status), description)
  const content = { 'application/json': { schema: ErrorBody, example } }
  return { description, content, ...(headers ? { headers } : {}) }
}

/** The body of a route that takes a file, which no schema validates. */
function fileBody(consumes: string[] | undefined) {
  if (!consumes) return {}
  const file = {
    type: 'string',
    contentMediaType: 'text/csv',
    examples: ['name,website\nAcme,https://acme.example\n'],
  }
  const form = { type: 'object', required: ['file'], properties: { file } }
  const content = consumes.map((type) => [type, { schema: type === 'multipart/form-data' ? form : file }])
  return { body: { content: Object.fromEntries(content) } }
}
