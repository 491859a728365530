import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type KillableService,
  killableService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { ada } from '#src/testing/settings.ts'
import { HOSTILE } from './hostile.fixture.ts'

const FILES = Number(process.env.HOSTILE_FILES ?? 300)
const MAX_RESIDENT_MB = 1024
/** Also a file that is read until it is ended is final by then. */
const MAX_WAIT_MS = 15 * 60_000

let service: KillableService
let headers: Record<string, string>
before(async () => {
  service = await killableService({ EMBEDDINGS: 'off' })
  headers = { 'x-user-email': ada }
})
after(removeServices)

const call = (path: string, options: RequestInit = {}) =>
  fetch(`http://localhost:${service.port}${path}`, { ...options, headers })

async function upload(name: string, content: string | Buffer, about: string): Promise<Response> {
  const form = new FormData()
  form.set('about', JSON.stringify([{ type: 'company', id: about }]))
  form.set('name', name)
  form.set('file', new Blob([content as Buffer<ArrayBuffer>]), 'upload')
  return call('/api/files', { method: 'POST', body: form })
}

const residentMb = (pid: number, field: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test(`${FILES} hostile files harm neither the service nor those who download them`, async (t) => {
  const random = loggedRandom(t)
  const { child } = await service.start()
  const { id } = (await service.client.createCompany({ body: { name: 'Hostile' } })).data
  let lists = 0
  let isOver = false
  const listing = (async () => {
    for (; !isOver; await sleep(200)) {
      const { status } = await call('/api/companies?limit=10')
      assert.equal(status, 200)
      lists += 1
    }
  })()
  const kinds = Object.entries(HOSTILE)
  const ids: string[] = []
  try {
    for (let n = 0; n < FILES; n++) {
      const [kind, create] = kinds[n % kinds.length] as (typeof kinds)[number]
      const answer = await upload(`${kind} ${n}`, await create(random), id)
      const { status } = answer
      const body = await answer.text()
      assert.equal(status, 201, `${kind} ${n}: ${body}`)
      ids.push(JSON.parse(body).data.id)
    }
    await untilRead(id)
    for (const file of ids) await checkServed(file)
  } finally {
    isOver = true
    await listing
  }
  assert.ok(lists > 10)
  assert.equal(child.exitCode, null)
  const peak = residentMb(child.pid as number, 'VmHWM')
  t.diagnostic(`${Math.round(peak)} MB at most, ${lists} lists beside`)
  assert.ok(peak <= MAX_RESIDENT_MB, `${peak} MB`)
})

interface ReadFile {
  id: string
  name: string
  text_state: string
  text_detail: string | null
}

/** Waits until every file has its final state, and checks that those without text say why. */
async function untilRead(company: string): Promise<void> {
  const start = Date.now()
  for (;;) {
    const { data, pagination } = (await (await call(`/api/files?about=${company}&limit=1000`)).json()) as {
      data: ReadFile[]
      pagination: { total: number }
    }
    const pending = data.filter(({ text_state }) => text_state === 'pending')
    assert.equal(pagination.total, FILES)
    if (pending.length === 0) {
      const silent = data.filter(
        ({ text_state, text_detail }) => !['done', 'none'].includes(text_state) && !text_detail,
      )
      assert.deepEqual(silent, [])
      return
    }
    assert.ok(Date.now() - start < MAX_WAIT_MS, pending.map(({ name }) => name).join())
    await sleep(1000)
  }
}

const ACTIVE = /html|svg|xml(?!formats)|script|message\/rfc822/

/** Checks that nothing in a file can run in a browser. */
async function checkServed(id: string): Promise<void> {
  for (const disposition of ['attachment', 'inline']) {
    const answer = await call(`/api/files/${id}/content?disposition=${disposition}`)
    const type = answer.headers.get('content-type') ?? ''
    await answer.body?.cancel()
    if (disposition === 'inline' && answer.status === 400) continue
    assert.equal(answer.status, 200)
    assert.doesNotMatch(type, ACTIVE)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
    assert.match(answer.headers.get('content-disposition') ?? '', new RegExp(`^${disposition};`))
    if (disposition === 'inline')
      assert.match(type, /^(?:application\/pdf|image\/(?:png|jpeg|gif|webp|avif))$/)
  }
}
