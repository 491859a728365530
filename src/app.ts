import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { API_DESCRIPTION, API_TAGS, PAGES, welcomePage } from './api-metadata.ts'
import type { Context } from './context.ts'
import { newAction } from './features/activity/index.ts'
import { activityRoutes } from './features/activity/routes.ts'
import { assetRoutes } from './features/assets/routes.ts'
import { auditDenial } from './features/audit/index.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { authenticationRoutes } from './features/auth/routes.ts'
import { backupRoutes } from './features/backups/routes.ts'
import { briefRoutes } from './features/briefs/routes.ts'
import { bulkActionRoutes } from './features/bulk-actions/routes.ts'
import { calendarRoutes } from './features/calendar/routes.ts'
import { companyCreator } from './features/companies/index.ts'
import { companyRoutes } from './features/companies/routes.ts'
import { dealRoutes } from './features/deals/routes.ts'
import { latestDecisionAt } from './features/decisions/index.ts'
import { decisionRoutes } from './features/decisions/routes.ts'
import { creationCheck } from './features/duplicates/index.ts'
import { duplicateRoutes } from './features/duplicates/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { feedbackRoutes } from './features/feedback/routes.ts'
import { fieldRoutes } from './features/fields/routes.ts'
import { fileRoutes } from './features/files/routes.ts'
import { followRoutes } from './features/follows/routes.ts'
import { importRoutes } from './features/imports/routes.ts'
import { keyRoutes } from './features/keys/routes.ts'
import { logoRoutes } from './features/logos/routes.ts'
import { mailRoutes } from './features/mail/routes.ts'
import { matchRoutes } from './features/matches/routes.ts'
import { companyAttachment } from './features/merge/index.ts'
import { mergeRoutes } from './features/merge/routes.ts'
import { noteRoutes } from './features/notes/routes.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { peopleRoutes } from './features/people/routes.ts'
import { privacyRoutes } from './features/privacy/routes.ts'
import { quickSearchRoutes } from './features/quick-search/routes.ts'
import { relationshipRoutes } from './features/relationships/routes.ts'
import { prepareIndexes } from './features/search/index.ts'
import { searchRoutes } from './features/search/routes.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { statsRoutes } from './features/stats/routes.ts'
import { tagRoutes } from './features/tags/routes.ts'
import { reassignTasksOf } from './features/tasks/index.ts'
import { taskRoutes } from './features/tasks/routes.ts'
import { thesisRoutes } from './features/theses/routes.ts'
import { timelineRoutes } from './features/timeline/routes.ts'
import { trashRoutes } from './features/trash/routes.ts'
import { revertUnfinished } from './features/undo/index.ts'
import { undoRoutes } from './features/undo/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { viewRoutes } from './features/views/routes.ts'
import { findHidden } from './features/visibility/index.ts'
import { eventRecords, FIELD_KINDS, RECORD_KINDS } from './kinds.ts'
import { migrations } from './migrations/migrations.ts'
import { orNotFound } from './platform/errors.ts'
import { collectMethods } from './platform/http/allowed-methods.ts'
import { registerCompression } from './platform/http/compression.ts'
import { Connections, watchConnections } from './platform/http/connections.ts'
import { refuseWritesOnFullDisk } from './platform/http/disk-guard.ts'
import { errorBody } from './platform/http/error-body.ts'
import { BODY_LIMIT, MAX_PARAM_LENGTH, sendError } from './platform/http/error-handler.ts'
import { endEventStreams } from './platform/http/event-streams.ts'
import { registerHealth } from './platform/http/health.ts'
import { registerIdempotency } from './platform/http/idempotency.ts'
import { parseJsonBodies } from './platform/http/json-body.ts'
import { countRequest } from './platform/http/limits/request-limits.ts'
import {
  HEADER_LIMIT,
  rejectExpectations,
  rejectMalformedRequests,
} from './platform/http/malformed-requests.ts'
import { registerDocumentation } from './platform/http/openapi/documentation.ts'
import { withoutTrailingSlash } from './platform/http/request-input.ts'
import { logRequest } from './platform/http/request-log.ts'
import { onResponseEnd, registerResponseEnd } from './platform/http/response-end.ts'
import { keepForwardedAddresses, refusePlainHttp } from './platform/http/security/https.ts'
import { registerRequestPolicy } from './platform/http/security/request-policy.ts'
import { policyHeaders, requestId, securityHeaders } from './platform/http/security/security-headers.ts'
import { validatorCompiler } from './platform/http/validator.ts'
import { isVisit, registerWebApp } from './platform/http/web-app.ts'
import { version } from './platform/process/version.ts'

/** Builds the HTTP application. It does not listen yet. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  const { backupStatus, config, disks, log, mailServer, metrics, dependencyCheck, refusedDeletions } = context
  const setHeaders = policyHeaders(config)
  const reject = rejectMalformedRequests(securityHeaders(config))
  const { headersMs, idleMs } = config.requestTimeouts
  const connections = new Connections({
    idleMs,
    refuse: (socket) => reject({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket),
  })
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyInstance['log'],
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestId,
    bodyLimit: BODY_LIMIT,
    // Requests on open connections are still served during shutdown, with `Connection: close`.
    return503OnClosing: false,
    trustProxy: config.trustProxy && [...config.trustProxy],
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: headersMs,
      // `connections` limits the time of bodies.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(5000, headersMs / 4),
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // Called before anything else reads the request.
    rewriteUrl: (request) => {
      keepForwardedAddresses(request)
      return withoutTrailingSlash(request.url ?? '/')
    },
    frameworkErrors: (error, request, reply) => {
      connections.watch(request.raw, reply.raw)
      setHeaders(request, reply)
      admitUnrouted(context, request, reply)
        .then(() => error)
        .catch((refusal) => refusal)
        .then((error) => sendError(error, request, reply))
    },
    clientErrorHandler: reject,
  })
  rejectExpectations(app, securityHeaders(config))
  app.removeContentTypeParser('text/plain')
  parseJsonBodies(app)
  app.setValidatorCompiler(validatorCompiler)
  // Responses are JSON from the database or small objects. Their schemas are used for documentation and tests only.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(sendError)

  watchConnections(app, connections)
  const methodsOf = collectMethods(app)
  registerResponseEnd(app)
  await registerCompression(app)
  await app.register(cookie, { hook: false })
  await registerRequestPolicy(app, context)
  refuseWritesOnFullDisk(app, disks.database)
  registerIdempotency(app, {
    db: context.db,
    prepare: () => prepareWrites(context),
    savesInBatches: Number.isFinite(context.maxBatchMs),
    requireVisible: async (caller, ids) => {
      const [hidden] = await findHidden(context.db, caller, ids)
      if (hidden !== undefined) orNotFound(undefined, 'record', hidden)
    },
  })
  await registerDocumentation(app, { version, config, description: API_DESCRIPTION, tags: API_TAGS })
  onResponseEnd(app, (...answered) => {
    const [request, reply] = answered
    logRequest(...answered)
    auditDenial(context.audit, request, reply)
    metrics.countRequest(...answered)
  })
  endEventStreams(app, context)
  const warnings = () =>
    [refusedDeletions.reason, mailServer?.problem(), backupStatus.warning].filter(
      (each) => each !== undefined,
    )
  registerHealth(app, { db: context.probeDb, migrations, dependencyCheck, disks, warnings })
  const answerPageVisit = await registerWebApp(app, {
    folder: context.webFolder,
    version,
    pages: PAGES,
    workspaceName: config.workspaceName,
    welcome: welcomePage(version),
  })
  app.setNotFoundHandler((request, reply) => {
    if (isVisit(request)) return answerPageVisit(request, reply)
    const path = request.url.split('?', 1)[0]?.slice(0, 200) ?? ''
    const allowed = methodsOf(path).join(', ')
    if (allowed && !allowed.split(', ').includes(request.method))
      return reply
        .code(405)
        .header('allow', allowed)
        .send(errorBody(405, `${request.method} is not allowed here. Allowed: ${allowed}.`))
    return reply.code(404).send(errorBody(404, `No route matches ${request.method} ${path}.`))
  })
  const revert = (id: string) =>
    revertUnfinished({ db: context.longDb, maxBatchMs: context.maxBatchMs, kinds: RECORD_KINDS }, id)
  app.register(
    companyRoutes(context, {
      revert,
      createCompany: companyCreator(context, creationCheck),
      attachment: companyAttachment,
      latestDecisionAt,
    }),
  )
  app.register(importRoutes(context))
  app.register(tagRoutes(context))
  app.register(peopleRoutes(context, { revert }))
  app.register(noteRoutes(context))
  app.register(taskRoutes(context))
  app.register(fileRoutes(context))
  app.register(decisionRoutes(context))
  app.register(relationshipRoutes(context))
  app.register(briefRoutes(context))
  app.register(timelineRoutes(context))
  app.register(mailRoutes(context))
  app.register(privacyRoutes(context))
  app.register(searchRoutes(context))
  app.register(quickSearchRoutes(context))
  app.register(bulkActionRoutes(context))
  app.register(assetRoutes(context))
  app.register(logoRoutes(context))
  app.register(thesisRoutes(context))
  app.register(matchRoutes(context))
  app.register(dealRoutes(context))
  app.register(fieldRoutes(context, FIELD_KINDS))
  app.register(viewRoutes(context))
  app.register(activityRoutes(context))
  app.register(trashRoutes(context, RECORD_KINDS))
  app.register(undoRoutes(context, RECORD_KINDS))
  app.register(mergeRoutes(context))
  app.register(followRoutes(context))
  app.register(eventRoutes(context, eventRecords(config)))
  app.register(notificationRoutes(context, { mailAvailable: config.mail !== undefined }))
  app.register(duplicateRoutes(context))
  app.register(statsRoutes(context))
  app.register(auditRoutes(context))
  app.register(
    userRoutes(context, {
      onDisabled: (transaction, email, caller) =>
        reassignTasksOf(transaction, newAction('bulk_update', caller), email),
    }),
  )
  app.register(backupRoutes(context))
  app.register(feedbackRoutes(context))
  app.register(authenticationRoutes(context))
  app.register(sessionRoutes(context))
  app.register(keyRoutes(context))
  app.register(calendarRoutes(context))
  return app
}

/** On the embedded database, queues and indexes cannot start in the transaction of a request. */
async function prepareWrites({ bulkQueues, indexes }: Context): Promise<void> {
  await Promise.all(Object.values(bulkQueues).map((queue) => queue.start()))
  // A search without its index answers for itself.
  if (indexes) await prepareIndexes(indexes).catch(() => {})
}

/** Applies the request policy to a request whose path cannot be decoded: no hook sees it. */
async function admitUnrouted(
  { config, limits }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const refusal = config.production ? refusePlainHttp(request) : undefined
  if (refusal) throw refusal
  await countRequest(request, reply, limits, config)
}
