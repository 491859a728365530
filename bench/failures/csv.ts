import { type Attack, headersOf } from './attack.ts'

const MB = 1024 * 1024
const MAX_SECONDS_PER_MB = 0.2

/** Files that are expensive for a reader that starts over after each malformed row. */
const FILES = [
  { name: 'quotes that never close', header: 'name,city\n', line: 'x,"a\n', megabytes: 1 },
  { name: 'odd quotes that join lines', header: 'name,city,country\n', line: '",x\n', megabytes: 1 },
  { name: 'blank lines', header: 'name,city\n', line: '\n', megabytes: 25 },
]

/** Imports that are expensive to parse: dry runs, so that only parsing counts. */
export const expensiveCsv: Attack = async ({ url }) => {
  const results: { name: string; seconds: number }[] = []
  for (const { name, header, line, megabytes } of FILES) {
    const body = header + line.repeat(Math.ceil((megabytes * MB) / line.length))
    const start = performance.now()
    const response = await fetch(`${url}/api/companies/import?dry_run=true`, {
      method: 'POST',
      headers: { ...headersOf(0), 'content-type': 'text/csv' },
      body,
    })
    const answer = await response.text()
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${answer.slice(0, 200)}`)
    results.push({ name, seconds: (performance.now() - start) / 1000 / megabytes })
  }
  const figures = results.map(({ name, seconds }) => `${name}: ${seconds.toFixed(2)} s/MB`).join(', ')
  if (results.some(({ seconds }) => seconds > MAX_SECONDS_PER_MB))
    throw new Error(`parsing took more than ${MAX_SECONDS_PER_MB} s/MB: ${figures}`)
  return figures
}
