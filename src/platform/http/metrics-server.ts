import { once } from 'node:events'
import http from 'node:http'
import { ConfigError } from '#src/platform/config/config.ts'
import type { MetricsAddress } from '#src/platform/config/metrics.ts'
import type { Metrics } from './metrics.ts'

/**
 * Serves `/metrics` for Prometheus on a port of its own, which is not exposed with the API.
 * @returns closes the port
 * @throws ConfigError if the port is taken or not allowed
 */
export async function listenForMetrics(
  { registry }: Metrics,
  { host, port }: MetricsAddress,
): Promise<() => void> {
  const server = http.createServer(async ({ method = '', url = '' }, response) => {
    if (url.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end()
    if (!['GET', 'HEAD'].includes(method)) return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  })
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ConfigError(
      `METRICS_PORT: ${(error as Error).message}. Set another METRICS_PORT, or 0 to serve no metrics.`,
      { cause: error },
    )
  }
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
