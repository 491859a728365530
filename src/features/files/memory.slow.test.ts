import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { killableService, removeServices } from '#src/testing/killable-service.fixture.ts'
import { MAX_FILE_BYTES, MAX_FILE_MB } from './schema.ts'

const MAX_GROWTH_MB = 64

after(removeServices)

const notLinux = process.platform !== 'linux' && 'the memory of a process is read from /proc'

test(`uploads of ${MAX_FILE_MB} MB take at most ${MAX_GROWTH_MB} MB of memory`, {
  skip: notLinux,
}, async (t) => {
  const { client, start } = await killableService({ EMBEDDINGS: 'off' })
  const { child } = await start()
  const megabytes = (name: 'VmRSS' | 'VmHWM') =>
    Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) /
    1024
  const company = (await client.createCompany({ body: { name: 'Large' } })).data.id
  const upload = async (name: string, bytes: number) => {
    const body = new FormData()
    body.append('about', JSON.stringify([{ type: 'company', id: company }]))
    body.append('file', new Blob([Buffer.alloc(bytes)]), name)
    return client.uploadFile({ body })
  }
  // Loads what an upload loads, and lets the heap grow to its usual size. There is no text to read in these files.
  await upload('first.bin', MAX_FILE_BYTES / 10)
  const before = megabytes('VmHWM')
  for (const name of ['one.bin', 'two.bin', 'three.bin'])
    assert.equal((await upload(name, MAX_FILE_BYTES)).data.size, MAX_FILE_BYTES)
  const growth = megabytes('VmHWM') - before
  t.diagnostic(`${Math.round(growth)} MB more than the ${Math.round(before)} MB before`)
  assert.ok(growth <= MAX_GROWTH_MB, `${growth} MB`)
})
