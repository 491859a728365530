import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, AttackSkipped, headersOf, post, type Target } from './attack.ts'

const FREE_BYTES = 10 * 1024 * 1024
const FULL_MS = 8000
const RECOVERY_TIMEOUT_MS = 10_000

/** Another program fills the disk: what would write to it is a 503, and works again when the disk has space. */
export const fullDisk: Attack = async (target) => {
  const { disk } = target
  if (!disk) throw new AttackSkipped('a disk can be mounted by root only')
  let refused = 0
  try {
    await disk.fill(FREE_BYTES)
    await sleep(1000)
    for (const end = performance.now() + FULL_MS; performance.now() < end; await sleep(50)) {
      const { status } = await write(target)
      if (status !== 503) throw new Error(`a write on a full disk was answered with ${status}`)
      refused += 1
    }
  } finally {
    await disk.empty()
  }
  await untilWritten(target)
  return `${refused} writes answered with 503, then accepted again`
}

/** With PostgreSQL elsewhere, only files are written to this disk. */
function write({ url, databaseUrl }: Target): Promise<Response> {
  if (!databaseUrl) return post(`${url}/api/companies`, { name: 'Full disk' })
  const headers = { ...headersOf(0), 'content-type': 'text/csv' }
  const body = `name\nFull disk ${Math.random()}\n`
  return fetch(`${url}/api/companies/import`, { method: 'POST', headers, body })
}

async function untilWritten(target: Target): Promise<void> {
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS
  while (!(await write(target)).ok) {
    if (performance.now() > deadline) throw new Error('nothing could be written after space was freed')
    await sleep(100)
  }
}
