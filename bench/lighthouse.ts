import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** Run with npx: with what it depends on it takes 176 MB, too much for everyone who installs the project. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const TIMEOUT_MS = 300_000

export type Device = 'desktop' | 'mobile'

/** The least score in each category. */
const AIMS: Record<Device, readonly number[]> = { desktop: [0.98, 1, 1, 1], mobile: [0.85, 1, 1, 1] }

export interface Audit {
  /** In the order performance, accessibility, best practices, SEO. */
  scores: number[]
  isMet: boolean
  /** How fast Lighthouse found this machine. A usual desktop has over 1,500. */
  benchmarkIndex: number
  /** What lowers the scores other than performance. */
  faults: string[]
}

interface Report {
  environment: { benchmarkIndex: number }
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null }>
}

/** Audits a page as the user of the benchmarks, in a new Chromium. */
export async function audit(url: string, device: Device, chromium: string): Promise<Audit> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-lighthouse-'))
  const output = path.join(folder, 'report.json')
  const options = [
    `--only-categories=${CATEGORIES.join(',')}`,
    `--extra-headers=${JSON.stringify({ 'X-User-Email': 'bench@example.com' })}`,
    '--chrome-flags=--headless --no-sandbox',
    '--output=json',
    `--output-path=${output}`,
    '--quiet',
    '--no-enable-error-reporting',
    ...(device === 'desktop' ? ['--preset=desktop'] : []),
  ]
  try {
    await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...options], {
      env: { ...process.env, CHROME_PATH: chromium },
      timeout: TIMEOUT_MS,
    })
    return auditOf(JSON.parse(await readFile(output, 'utf8')), device)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function auditOf({ environment, categories, audits }: Report, device: Device): Audit {
  const scores = CATEGORIES.map((category) => categories[category]?.score ?? 0)
  const errors = CATEGORIES.slice(1)
    .flatMap((category) => categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${audits[id]?.title}`)
  const isMet = scores.every((score, index) => score >= (AIMS[device][index] ?? 1))
  return { scores, isMet, benchmarkIndex: environment.benchmarkIndex, faults: errors }
}
