import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Attack, AttackSkipped, headersOf, type Target } from './attack.ts'

const CHANGES = 50
const EXPORTS = 8
const LOCK_MS = 5000

/** Another connection to the database holds locks that changes and exports wait for. */
export const stuckLock: Attack = async (target) => {
  if (!target.databaseUrl) throw new AttackSkipped('PGlite has one connection')
  const other = new pg.Client(target.databaseUrl)
  await other.connect()
  try {
    const changes = await lockRow(other, target)
    const exports = await lockTable(other, target)
    return `${changes}; ${exports}`
  } finally {
    await other.end()
  }
}

async function lockRow(other: pg.Client, { url, companyIds }: Target): Promise<string> {
  const id = companyIds[0]
  const change = async (name: string): Promise<number> => {
    const body = JSON.stringify({ name })
    const answer = await fetch(`${url}/api/companies/${id}`, { method: 'PATCH', headers: headersOf(0), body })
    await answer.arrayBuffer()
    return answer.status
  }
  await other.query('begin')
  await other.query('select from companies where id = $1 for update', [id])
  const statuses = await Promise.all(Array.from({ length: CHANGES }, (_value, n) => change(`Locked ${n}`)))
  await other.query('rollback')
  const refused = statuses.filter((status) => status === 503).length
  if (refused !== CHANGES) throw new Error(`changes of a locked row were answered with ${statuses}`)
  const after = await change('Unlocked')
  if (after !== 200) throw new Error(`a change after the lock was answered with ${after}`)
  return `${refused} changes of a locked row answered with 503`
}

async function lockTable(other: pg.Client, { url }: Target): Promise<string> {
  await other.query('begin')
  await other.query('lock table theses in access exclusive mode')
  const exports = Promise.all(
    Array.from({ length: EXPORTS }, async () => {
      const answer = await fetch(`${url}/api/companies/export`, { headers: headersOf(0) })
      await answer.arrayBuffer()
      return answer.status
    }),
  )
  await sleep(LOCK_MS)
  await other.query('rollback')
  const statuses = await exports
  if (statuses.some((status) => ![200, 503].includes(status)) || !statuses.includes(200))
    throw new Error(`exports behind a locked table were answered with ${statuses}`)
  return `exports behind a locked table: ${statuses.filter((status) => status === 200).length} of ${EXPORTS} whole`
}
