import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Config } from '#src/platform/config/config.ts'
import { SESSION_COOKIE } from '#src/platform/identity/session-cookie.ts'
import type { EndpointSchema } from '#src/platform/schema/shapes.ts'
import { isLimited, isOpen } from '../routes.ts'
import { registerDocumentationPage } from './documentation-page.ts'
import {
  errorContent,
  errorResponses,
  errorsOf,
  type Operation,
  RATE_LIMIT_HEADERS,
} from './documented-errors.ts'
import { withReferences } from './named-schemas.ts'

interface Settings {
  version: string
  config: Config
  description: string
  /** Descriptions of the operation groups by name, in their order. */
  tags: Record<string, string>
}

/** Serves the OpenAPI document at `/openapi.json` and interactive documentation at `/docs`. */
export async function registerDocumentation(
  app: FastifyInstance,
  { version, config, description, tags }: Settings,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'deal-pipeline',
        version,
        description,
        contact: { name: 'The operator of this service', url: config.publicUrl },
        license: { name: 'Proprietary', identifier: 'LicenseRef-UNLICENSED' },
      },
      servers: [{ url: config.publicUrl }],
      tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
      components: {
        securitySchemes: securitySchemes(config),
      },
      security: [
        ...Object.keys(securitySchemes(config)).map((name) => ({ [name]: [] })),
        ...(config.production ? [] : [{}]),
      ],
    },
    transform: ({ schema, url, route }) => ({ schema: described(schema, url, String(route.method)), url }),
    transformObject: (documented) =>
      'openapiObject' in documented ? withComponents(documented.openapiObject as Document) : {},
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  registerDocumentationPage(app, config)
}

/** The authentication methods that this configuration accepts. */
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

type Document = OpenAPIV3_1.Document

/** Adds the errors of each operation, and names schemas by their titles. */
function withComponents(document: Document): Document {
  const schemas = {}
  const paths = Object.entries(document.paths ?? {}).map(([path, item = {}]) => {
    const operations = Object.entries(item as Record<string, Operation>).map(([method, operation]) => [
      method,
      withReferences(withErrors(method, path, operation), schemas),
    ])
    return [path, Object.fromEntries(operations)]
  })
  const responses = withReferences(errorResponses(), schemas)
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, responses, schemas: sorted(schemas) },
  } as Document
}

const withErrors = (method: string, path: string, operation: Operation): Operation => ({
  ...operation,
  responses: { ...errorsOf(method, path, operation), ...operation.responses },
})

const sorted = <T>(named: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))

// biome-ignore lint/suspicious/noExplicitAny: Fastify's own type of a schema to document
function described(schema: any, url: string, method: string) {
  if (!schema?.operationId) return schema
  const { documentedHeaders, response, 'x-idempotency': _mode, 'x-form': _form, ...documented } = schema
  const answers = Object.entries(response as Record<string, Answer>)
  return {
    ...documented,
    ...headersOf(schema, url, method),
    ...fileBody(schema),
    ...(isLimited(url) ? { 'x-rate-class': schema['x-rate-class'] ?? 'standard' } : {}),
    ...(isOpen(url, schema) ? { security: [] } : {}),
    response: Object.fromEntries(answers.map(([status, answer]) => [status, answerOf(status, answer)])),
  }
}

/** The request headers of an operation. Writes take a key. */
// biome-ignore lint/suspicious/noExplicitAny: Fastify's own type of a schema to document
function headersOf(schema: any, url: string, method: string) {
  const headers = schema.documentedHeaders ?? schema.headers
  const takesKey = method !== 'GET' && isLimited(url) && !isOpen(url, schema)
  if (!takesKey || ['own', 'none'].includes(schema['x-idempotency'])) return headers ? { headers } : {}
  return { headers: { type: 'object', properties: { ...headers?.properties, 'idempotency-key': KEY } } }
}

const KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A key for this request, in printable ASCII characters, kept for 24 hours. A repeated request with the same key and ' +
    'content has no second effect and returns the stored response.',
}

interface Answer {
  description?: string
  headers?: object
  'x-page'?: boolean
  /** Whether the answer can also be Markdown. */
  'x-markdown'?: boolean
}

/** A response in the form that @fastify/swagger expects: a schema for a success, JSON content for an error or a redirect. */
function answerOf(status: string, answer: Answer): object {
  const { description, 'x-page': isPage, 'x-markdown': isMarkdownToo } = answer
  const headers = answer.headers ?? (status === '429' ? RATE_LIMIT_HEADERS : undefined)
  if (isMarkdownToo) {
    const content = {
      'application/json': { schema: answer },
      'text/markdown': { schema: { type: 'string' } },
    }
    return { description: 'Success.', content }
  }
  if (Number(status) < 400 && status !== '301')
    return description ? answer : { ...answer, 'x-response-description': 'Success.' }
  const content = {
    ...errorContent(Number(status), description ?? ''),
    ...(isPage ? { 'text/html': { schema: { type: 'string' } } } : {}),
  }
  return { description, content, ...(headers ? { headers } : {}) }
}

/** The body of a route that accepts a file, which no schema validates. */
function fileBody({ consumes, 'x-form': fields }: Pick<EndpointSchema, 'consumes' | 'x-form'>) {
  if (!consumes) return {}
  if (consumes.every((type) => type === FORM))
    return { body: { content: { [FORM]: { schema: formOf(fields) } } } }
  const file = {
    type: 'string',
    contentMediaType: 'text/csv',
    examples: ['name,website\nAcme,https://acme.example\n'],
  }
  const form = { type: 'object', required: ['file'], properties: { file } }
  const content = consumes.map((type) => [type, { schema: type === FORM ? form : file }])
  return { body: { content: Object.fromEntries(content) } }
}

const FORM = 'multipart/form-data'

/** A form with a file of any type. */
const formOf = (fields: EndpointSchema['x-form'] = {}) => ({
  type: 'object',
  required: [...Object.keys(fields).filter((name) => fields[name]?.isRequired), 'file'],
  properties: {
    ...Object.fromEntries(
      Object.entries(fields).map(([name, { isRequired: _required, ...field }]) => [name, field]),
    ),
    file: { type: 'string', contentMediaType: 'application/octet-stream' },
  },
})
