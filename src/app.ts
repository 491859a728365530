import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { API_DESCRIPTION, API_TAGS, PAGES } from './api-metadata.ts'
import type { Context } from './context.ts'
import { activityRoutes } from './features/activity/routes.ts'
import { assetRoutes } from './features/assets/routes.ts'
import { authenticationRoutes } from './features/auth/routes.ts'
import { bulkActionRoutes } from './features/bulk-actions/routes.ts'
import { companyRoutes } from './features/companies/routes.ts'
import { dealflowRoutes } from './features/dealflow/routes.ts'
import { feedbackRoutes } from './features/feedback/routes.ts'
import { searchRoutes } from './features/search/routes.ts'
import { statsRoutes } from './features/stats/routes.ts'
import { thesisRoutes } from './features/theses/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { migrations } from './migrations/migrations.ts'
import { registerDocumentation } from './platform/http/documentation.ts'
import { errorAnswer } from './platform/http/error-answer.ts'
import { answerError, BODY_LIMIT } from './platform/http/error-handler.ts'
import { registerHealth } from './platform/http/health.ts'
import { refusePlainHttp } from './platform/http/https.ts'
import { registerMetrics } from './platform/http/metrics.ts'
import { withoutTrailingSlash } from './platform/http/request-input.ts'
import { countRequest } from './platform/http/request-limits.ts'
import { logRequest } from './platform/http/request-log.ts'
import { registerRequestPolicy } from './platform/http/request-policy.ts'
import { registerSending, whenAnswered } from './platform/http/response-batching.ts'
import { policyHeaders, requestId, securityHeaders } from './platform/http/security-headers.ts'
import { validatorCompiler } from './platform/http/validator.ts'
import { isVisit, registerWebApp } from './platform/http/web-app.ts'
import { version } from './platform/process/version.ts'
import { welcomePage } from './welcome-page.ts'

/** The longest query, a thousand ids, takes 30 KB. */
const HEADER_LIMIT = 64 * 1024

/** The HTTP application over a context, not yet listening. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  const { config, log, identify, limits, dependencyCheck } = context
  const setHeaders = policyHeaders(config)
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyInstance['log'],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestId,
    bodyLimit: BODY_LIMIT,
    // Who asks on an open connection while the service stops is served, and told that the connection ends.
    return503OnClosing: false,
    trustProxy: config.trustProxy && [...config.trustProxy],
    http: { maxHeaderSize: HEADER_LIMIT },
    routerOptions: { maxParamLength: 1000 },
    rewriteUrl: ({ url = '/' }) => withoutTrailingSlash(url),
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply)
      admitUnrouted(context, request, reply)
        .then(() => error)
        .catch((refusal) => refusal)
        .then((fault) => answerError(fault, request, reply))
    },
    clientErrorHandler: refuseUnreadable(securityHeaders(config)),
  })
  refuseExpectations(app, securityHeaders(config))
  app.removeContentTypeParser('text/plain')
  acceptEmptyJsonBodies(app)
  app.setValidatorCompiler(validatorCompiler)
  // Responses are JSON from the database or small objects: their schemas document and test them.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(answerError)

  registerSending(app)
  await app.register(cookie)
  await registerRequestPolicy(app, { config, identify, limits })
  await registerDocumentation(app, { version, config, description: API_DESCRIPTION, tags: API_TAGS })
  const countAnswer = registerMetrics(app)
  whenAnswered(app, (...answered) => {
    logRequest(...answered)
    countAnswer(...answered)
  })
  registerHealth(app, { db: context.probeDb, migrations, dependencyCheck })
  const answerVisit = await registerWebApp(app, {
    folder: context.webFolder,
    version,
    pages: PAGES,
    welcome: welcomePage(version),
  })
  app.setNotFoundHandler((request, reply) => {
    if (isVisit(request)) return answerVisit(request, reply)
    const path = request.url.split('?', 1)[0]?.slice(0, 200)
    return reply.code(404).send(errorAnswer(404, `There is no ${request.method} ${path} here.`))
  })
  app.register(companyRoutes(context))
  app.register(searchRoutes(context))
  app.register(bulkActionRoutes(context))
  app.register(assetRoutes(context))
  app.register(thesisRoutes(context))
  app.register(dealflowRoutes(context))
  app.register(activityRoutes(context))
  app.register(statsRoutes(context))
  app.register(userRoutes(context))
  app.register(feedbackRoutes(context))
  app.register(authenticationRoutes(context))
  return app
}

/** What holds for every request, for one whose path cannot even be decoded, so that no hook sees it. */
async function admitUnrouted(
  { config, limits }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const refusal = config.production ? refusePlainHttp(request) : undefined
  if (refusal) throw refusal
  await countRequest(request, reply, limits)
}

/** The one expectation that there is, 100-continue, never gets here (RFC 9110, section 10.1.1). */
function refuseExpectations({ server }: FastifyInstance, headers: Record<string, string>): void {
  server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { ...headers, 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(errorAnswer(417, 'The header Expect must be 100-continue.')))
  })
}

/** A body that a route does not look at may be empty, whatever its Content-Type says. */
function acceptEmptyJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const needsBody = (request.routeOptions.schema as { body?: object } | undefined)?.body !== undefined
    if (body === '' && !needsBody) done(null, undefined)
    else parse(request, body as string, done)
  })
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
