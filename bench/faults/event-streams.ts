import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, headersOf, post } from './attack.ts'

const STREAMS = 500
const STREAMS_PER_USER = 10
const OPEN_MS = 10_000

/** Many users follow one bulk action. */
export const eventStreams: Attack = async ({ url, companyIds }) => {
  const action = { action_type: 'llm_score', company_ids: companyIds.slice(0, 100) }
  const created = await post(`${url}/api/bulk-actions`, action)
  if (!created.ok) throw new Error(`the bulk action was refused: ${await created.text()}`)
  const { data } = (await created.json()) as { data: { id: string } }
  const close = new AbortController()
  const follow = async (n: number) => {
    const { status, body } = await fetch(`${url}/api/bulk-actions/${data.id}/events`, {
      headers: headersOf(Math.floor(n / STREAMS_PER_USER)),
      signal: close.signal,
    })
    if (status !== 200) return false
    body?.pipeTo(new WritableStream()).catch(() => {})
    return true
  }
  const opened = await Promise.all(Array.from({ length: STREAMS }, (_value, n) => follow(n)))
  await sleep(OPEN_MS)
  close.abort()
  const open = opened.filter(Boolean).length
  if (open < STREAMS) throw new Error(`only ${open} of ${STREAMS} streams could be opened`)
  return `${open} streams stayed open`
}
