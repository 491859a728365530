import { once } from 'node:events'
import http from 'node:http'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ConfigError } from '#src/platform/config/config.ts'
import type { MetricsAddress } from '#src/platform/config/metrics.ts'
import type { RefusedDeletions } from '#src/platform/objects/objects.ts'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import type { ResponseListener } from './response-end.ts'

/** By what they hold. */
type Disks = Readonly<Record<string, FreeSpace | undefined>>

/** Metrics of the process, the requests and the disks, for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  readonly countRequest: ResponseListener
}

export function createMetrics(
  disks: Disks,
  refused: RefusedDeletions,
  backups: { readonly lastAt: number | undefined },
  fileScans: { readonly waiting: number },
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registerDisks(registry, disks)
  new Gauge({
    name: 'refused_deletions',
    help: 'Records that cannot be purged, because object storage refuses to delete their files.',
    registers: [registry],
    collect() {
      this.set(refused.records)
    },
  })
  new Gauge({
    name: 'last_backup_timestamp_seconds',
    help: 'When the last scheduled backup was finished; 0 before the first one.',
    registers: [registry],
    collect() {
      this.set((backups.lastAt ?? 0) / 1000)
    },
  })
  new Gauge({
    name: 'files_waiting_for_virus_scan',
    help: 'Versions of files that cannot be read before they are scanned.',
    registers: [registry],
    collect() {
      this.set(fileScans.waiting)
    },
  })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  })
  return {
    registry,
    countRequest: (request, reply, isWhole) => {
      const route = request.routeOptions.url ?? 'unknown'
      const status = isWhole ? String(reply.statusCode) : 'cut_off'
      duration.labels(request.method, route, status).observe(reply.elapsedTime / 1000)
    },
  }
}

function registerDisks(registry: Registry, disks: Disks): void {
  const register = (name: string, help: string, value: (freeSpace: FreeSpace) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['disk'] as const,
      registers: [registry],
      collect() {
        for (const [disk, freeSpace] of Object.entries(disks)) {
          const bytes = freeSpace && value(freeSpace)
          if (bytes !== undefined) this.labels(disk).set(bytes)
        }
      },
    })
  register('disk_free_bytes', 'Free space of a disk.', (freeSpace) => freeSpace.read().free)
  register(
    'disk_required_free_bytes',
    'Free space below which nothing is written to a disk.',
    (freeSpace) => freeSpace.read().required,
  )
}

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
