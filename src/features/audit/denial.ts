import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusalReason } from '#src/platform/http/error-handler.ts'
import type { AuditLog } from './audit-log.ts'

/** Records a request that was answered with 403. Refused sign-ins have already been recorded as such. */
export function auditDenial(audit: AuditLog, request: FastifyRequest, { statusCode }: FastifyReply): void {
  if (statusCode !== 403) return
  const { method, routeOptions } = request
  const details = { method, route: routeOptions.url ?? null, reason: refusalReason(request) ?? null }
  audit.deny(request, { event: 'permission_denied', details })
}
