import type { VirusScanConfig } from '#src/platform/config/virus-scan.ts'

/** Nothing can be scanned now. */
export class ScannerDown extends Error {}

/** One scan has failed. The scanner may work for other files, and later for this one. */
export class ScanFailed extends Error {}

/** The scanner's settings do not let it scan the whole content. */
export class LimitExceeded extends Error {
  /** The setting of clamd. */
  readonly setting: string
  constructor(setting: string) {
    super(`The file exceeds ${setting} of the virus scanner.`)
    this.setting = setting
  }
}

/** Why the scanner cannot be reached, in our own words. */
export function outage(
  { host, port }: VirusScanConfig,
  { code, message }: NodeJS.ErrnoException,
): ScannerDown {
  const problems: Record<string, string> = {
    ECONNREFUSED: 'refuses connections.',
    ENOTFOUND: 'is not known under this name; check CLAMAV_HOST.',
    EAI_AGAIN: 'is not known under this name; check CLAMAV_HOST.',
    ETIMEDOUT: 'does not answer in time.',
    ABORT_ERR: 'does not answer in time.',
  }
  const problem = problems[code ?? ''] ?? `cannot be used: ${message || code}`
  return new ScannerDown(`The virus scanner ${host}:${port} ${problem}`)
}
