import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { ResponseListener } from './response-batching.ts'

/**
 * Serves process and request metrics for Prometheus at `/metrics`.
 * @returns a listener that counts a request
 */
export function registerMetrics(app: FastifyInstance): ResponseListener {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  })
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    const text = await registry.metrics()
    return reply.type(registry.contentType).send(text)
  })
  return (request, reply, isWhole) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = isWhole ? String(reply.statusCode) : 'cut_off'
    duration.labels(request.method, route, status).observe(reply.elapsedTime / 1000)
  }
}
