import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Context } from './context.ts'
import { activityRoutes } from './features/activity/routes.ts'
import { companyRoutes } from './features/companies/routes.ts'
import { dealflowRoutes } from './features/dealflow/routes.ts'
import { statsRoutes } from './features/stats/routes.ts'
import { thesisRoutes } from './features/theses/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { registerDocumentation } from './platform/documentation.ts'
import { errorAnswer, HttpError, isDatabaseDown } from './platform/errors.ts'
import { registerHealth } from './platform/health.ts'
import { registerMetrics } from './platform/metrics.ts'
import {
  policyHeaders,
  registerRequestPolicy,
  requestId,
  securityHeaders,
} from './platform/request-policy.ts'
import { validatorCompiler } from './platform/validation.ts'

const BODY_LIMIT = 1024 * 1024
/** The longest query, a thousand ids, takes 30 KB. */
const HEADER_LIMIT = 64 * 1024

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The HTTP application over a context, not yet listening. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  const { config, db, log } = context
  const setHeaders = policyHeaders(config)
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyInstance['log'],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestId,
    bodyLimit: BODY_LIMIT,
    http: { maxHeaderSize: HEADER_LIMIT },
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply)
      answerError(error, request, reply)
    },
    clientErrorHandler: refuseUnreadable(securityHeaders(config)),
  })
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  // Responses are JSON from the database or small objects: their schemas document and test them.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send(
        errorAnswer(
          404,
          `There is no ${request.method} ${request.url.split('?', 1)[0]?.slice(0, 200)} here.`,
        ),
      ),
  )

  await registerRequestPolicy(app, config)
  await registerDocumentation(app, { version, publicUrl: config.publicUrl })
  registerMetrics(app)
  registerHealth(app, { db, version })
  app.register(companyRoutes(context))
  app.register(thesisRoutes(context))
  app.register(dealflowRoutes(context))
  app.register(activityRoutes(context))
  app.register(statsRoutes(context))
  app.register(userRoutes(context))
  return app
}

/** Answers an error in the one error shape. What is not meant for the caller goes to the log only. */
function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, details } = tell(error, request)
  if (status >= 500) request.log.error({ err: error }, details)
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorAnswer(status, details))
}

function tell(error: Error, request: FastifyRequest): { status: number; details: string } {
  if (error instanceof HttpError) return { status: error.statusCode, details: error.message }
  if (isDatabaseDown(error))
    return { status: 503, details: 'The database cannot be reached. Try again in a moment.' }
  const { code = '', statusCode } = error as FastifyError
  const { consumes } = (request.routeOptions.schema ?? {}) as { consumes?: string[] }
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return {
        status: 415,
        details: `The Content-Type must be ${consumes?.join(' or ') ?? 'application/json'}.`,
      }
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { status: 413, details: `The body must not be larger than ${BODY_LIMIT} bytes.` }
    case 'FST_ERR_BAD_URL':
      return { status: 400, details: 'The path is not properly percent-encoded UTF-8.' }
    default:
  }
  if ((error instanceof SyntaxError && statusCode === 400) || code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return { status: 400, details: 'The body is not valid JSON, or has a key such as __proto__.' }
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return { status: statusCode, details: error.message }
  return { status: 500, details: 'Something went wrong here; the log has it under this X-Request-Id.' }
}

/** Answers what is not even HTTP: headers that are malformed or too large. */
function refuseUnreadable(headers: Record<string, string>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
    const details =
      status === 431 ? `The headers must not be larger than ${HEADER_LIMIT} bytes.` : 'This is not HTTP/1.1.'
    const body = JSON.stringify(errorAnswer(status, details))
    const lines = {
      ...headers,
      'x-request-id': randomUUID(),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  }
}
