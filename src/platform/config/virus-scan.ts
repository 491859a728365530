import { isIPv6 } from 'node:net'
import type { Settings } from './settings.ts'

/** Where the virus scanner clamd listens. */
export interface VirusScanConfig {
  readonly host: string
  readonly port: number
}

const CLAMD_PORT = 3310
const MAX_PORT = 65_535

/** Reads where clamd listens; `undefined`: files are not scanned. */
export function readVirusScan(settings: Settings): VirusScanConfig | undefined {
  const text = settings.text('CLAMAV_HOST')
  if (!text) return undefined
  const address = parseAddress(text)
  if (!address)
    settings.reject(
      'CLAMAV_HOST',
      `a host or host:port, such as clamav, 10.0.0.5:${CLAMD_PORT} or [fd00::5]:${CLAMD_PORT}`,
    )
  return address && Object.freeze(address)
}

function parseAddress(text: string): VirusScanConfig | undefined {
  if (isIPv6(text)) return { host: text, port: CLAMD_PORT }
  const [, bracketed, name, digits] = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = bracketed ?? name
  const port = digits === undefined ? CLAMD_PORT : Number(digits)
  if (!host || (bracketed && !isIPv6(bracketed)) || port < 1 || port > MAX_PORT) return undefined
  return { host, port }
}
