import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { ErrorBody } from './shapes.ts'

interface Settings {
  version: string
  publicUrl: string
}

const DESCRIPTION = `Companies, investment theses, deals and what happened to them.

A success is \`{"data": …}\`, a list \`{"data": […], "pagination": {total, limit, offset, hasMore}}\`, an error
\`{"error": "a fixed phrase for the status", "details": "a sentence that says what is wrong and what is allowed"}\`.
Each answer carries \`X-Request-Id\`. In development the header \`X-User-Email\` says who is asking.`

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

/** Serves the OpenAPI document at `/openapi.json` and a page to read and try it at `/docs`. */
export async function registerDocumentation(
  app: FastifyInstance,
  { version, publicUrl }: Settings,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'deal-pipeline', version, description: DESCRIPTION },
      servers: [{ url: publicUrl }],
      tags: ['Companies', 'Theses', 'Dealflow', 'Activity', 'Stats', 'Users', 'Operation'].map((name) => ({
        name,
      })),
      components: {
        securitySchemes: { developmentUser: { type: 'apiKey', in: 'header', name: 'X-User-Email' } },
      },
      security: [{}, { developmentUser: [] }],
    },
    transform: ({ schema, url }) => ({ schema: withErrors(schema), url }),
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

// biome-ignore lint/suspicious/noExplicitAny: Fastify's own type of a schema to document
function withErrors(schema: any) {
  if (!schema?.operationId) return schema
  const errors = Object.fromEntries(
    Object.entries(ERRORS).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: ErrorBody } } },
    ]),
  )
  const success = Object.fromEntries(
    Object.entries(schema.response).map(([status, body]) => [
      status,
      { description: 'Success.', ...(body as object) },
    ]),
  )
  return { ...schema, ...fileBody(schema.consumes), response: { ...success, ...errors } }
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
