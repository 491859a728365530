import { type Attack, headersOf } from './attack.ts'

const COMPANIES = 10_000

/** Changes as many companies as a request may, and undoes it. */
export const bulkChanges: Attack = async ({ url, companyIds }) => {
  const ids = companyIds.slice(0, COMPANIES)
  const { data, seconds } = await timed(`${url}/api/companies`, 'PATCH', {
    ids,
    changes: { add_tags: ['changed'] },
  })
  if (data.updated !== ids.length) throw new Error(`changed ${data.updated} of ${ids.length} companies`)
  const undo = await timed(`${url}/api/actions/${data.action_id}/undo`, 'POST', {})
  if (undo.data.reverted !== ids.length) throw new Error(`undid ${undo.data.reverted} of ${ids.length}`)
  return `${ids.length} companies changed in ${seconds} s, undone in ${undo.seconds} s`
}

interface Timed {
  data: { updated: number; action_id: string; reverted: number }
  seconds: string
}

async function timed(address: string, method: string, body: object): Promise<Timed> {
  const start = performance.now()
  const response = await fetch(address, { method, headers: headersOf(0), body: JSON.stringify(body) })
  const answer = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${answer.slice(0, 200)}`)
  const { data } = JSON.parse(answer) as { data: Timed['data'] }
  return { data, seconds: ((performance.now() - start) / 1000).toFixed(1) }
}
