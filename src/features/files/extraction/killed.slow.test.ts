import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type KillableService,
  killableService,
  killService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { ada } from '#src/testing/settings.ts'
import { pdf } from './documents.fixture.ts'

const KILLS = Number(process.env.FILE_TEXT_KILLS ?? 8)
const FILES = 3
const PAGES = 300
const MAX_WAIT_MS = 120_000

let service: KillableService
before(async () => {
  service = await killableService({ EMBEDDINGS: 'off' })
})
after(removeServices)

async function call(path: string, options: RequestInit = {}) {
  const answer = await fetch(`http://localhost:${service.port}${path}`, {
    ...options,
    headers: { 'x-user-email': ada },
  })
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return answer.json() as Promise<{ data: { id: string; text_state: string; matches: { page: number }[] }[] }>
}

async function upload(company: string, kill: number): Promise<void> {
  const pages = Array.from(
    { length: PAGES },
    (_, page) => `Kill ${kill} page ${page + 1} ${'lens '.repeat(100)}`,
  )
  const content = await pdf(pages)
  for (let n = 0; n < FILES; n++) {
    const form = new FormData()
    form.set('about', JSON.stringify([{ type: 'company', id: company }]))
    form.set('file', new Blob([content as Buffer<ArrayBuffer>]), `${kill} ${n}.pdf`)
    await call('/api/files', { method: 'POST', body: form })
  }
}

async function untilRead(): Promise<void> {
  for (const start = Date.now(); ; await sleep(500)) {
    const { data } = await call('/api/files?limit=1000')
    if (data.every(({ text_state }) => text_state !== 'pending')) return
    assert.ok(Date.now() - start < MAX_WAIT_MS, 'files are not read')
  }
}

test(`after each of ${KILLS} kills, every file is read whole by the next process`, async (t) => {
  const random = loggedRandom(t)
  let running = await service.start()
  const { id } = (await service.client.createCompany({ body: { name: 'Killed' } })).data
  for (let kill = 0; kill < KILLS; kill++) {
    await upload(id, kill)
    await sleep(random() * 4000)
    await killService(running)
    running = await service.start()
    await untilRead()
    const { data } = await call(`/api/files?search=kill%20${kill}%20page%20${PAGES}`)
    const pages = data
      .filter(({ text_state }) => text_state === 'done')
      .map(({ matches }) => matches[0]?.page)
    // "kill 1" also finds "kill 10".
    assert.ok(pages.length >= FILES, `${pages.length} files`)
    assert.ok(pages.every((page) => page === PAGES))
  }
})
