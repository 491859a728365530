/** One measured attack. */
export interface ImportAttack {
  name: string
  secondsPerMegabyte: number
}

const MB = 1024 * 1024

/** Files that are expensive for a reader that starts over after each malformed row. */
const ATTACKS = [
  { name: 'quotes that never close', header: 'name,city\n', line: 'x,"a\n', megabytes: 1 },
  { name: 'odd quotes that join lines', header: 'name,city,country\n', line: '",x\n', megabytes: 1 },
  { name: 'blank lines', header: 'name,city\n', line: '\n', megabytes: 25 },
]

/**
 * Imports each attack as a dry run, and measures the time until the answer.
 * @param baseUrl the service's origin, without a slash at the end
 * @param headers those that identify the caller
 * @throws Error when an import is not answered with 200
 */
export async function attackImport(
  baseUrl: string,
  headers: Record<string, string>,
): Promise<ImportAttack[]> {
  const results: ImportAttack[] = []
  for (const { name, header, line, megabytes } of ATTACKS) {
    const body = header + line.repeat(Math.ceil((megabytes * MB) / line.length))
    const start = performance.now()
    const response = await fetch(`${baseUrl}/api/companies/import?dry_run=true`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/csv' },
      body,
    })
    const answer = await response.text()
    const seconds = (performance.now() - start) / 1000
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${answer.slice(0, 200)}`)
    results.push({ name, secondsPerMegabyte: seconds / megabytes })
  }
  return results
}
