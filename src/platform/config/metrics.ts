import type { Settings } from './settings.ts'

/** Where the metrics listen. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** The port of OpenTelemetry's exporter for Prometheus. */
const PRODUCTION_PORT = 9464

/** Off in development unless set, so that two services on one machine both start. */
export function readMetrics(
  settings: Settings,
  port: number,
  production: boolean,
): MetricsAddress | undefined {
  const host = settings.text('METRICS_HOST') ?? '127.0.0.1'
  const metricsPort = settings.wholeNumber('METRICS_PORT', production ? PRODUCTION_PORT : 0, 0, 65_535)
  if (metricsPort === 0) {
    settings.warnIfUnused({ METRICS_HOST: '127.0.0.1' }, 'METRICS_PORT is set')
    return undefined
  }
  if (metricsPort === port) settings.reject('METRICS_PORT', 'another port than PORT')
  return Object.freeze({ host, port: metricsPort })
}
