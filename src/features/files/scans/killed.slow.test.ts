import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '#src/testing/eventually.ts'
import { killableService, killService, removeServices } from '#src/testing/killable-service.fixture.ts'
import { EICAR, EICAR_NAME, startClamd, withClamd } from '#src/testing/virus-scanner.ts'

const KILLS = 4
const FILES = 12

const ends: (() => Promise<unknown>)[] = [removeServices]
after(async () => {
  for (const end of ends) await end()
})

test(
  'nothing is lost, and nothing infected is readable, while service and scanner are killed',
  withClamd,
  async () => {
    const clamd = await startClamd()
    ends.push(() => clamd.close())
    const service = await killableService({ CLAMAV_HOST: clamd.address, EMBEDDINGS: 'off', LOGOS: 'off' })
    const { client } = service
    const ids: string[] = []
    let running = await service.start()
    const company = (await client.createCompany({ body: { name: 'Nordlys Robotics' } })).data.id
    for (let kill = 0; kill < KILLS; kill++) {
      for (let index = 0; index < FILES; index++) {
        const form = new FormData()
        form.set('about', JSON.stringify([{ type: 'company', id: company }]))
        const content = `${index % 2 ? EICAR : 'clean'} ${kill} ${index}`
        // Large enough that a kill meets scans.
        form.set('file', new Blob([content, Buffer.alloc(3_000_000)]), `${kill}-${index}.bin`)
        ids.push((await client.uploadFile({ body: form })).data.id)
      }
      if (kill % 2) await clamd.stop()
      await killService(running)
      running = await service.start()
      if (kill % 2) await clamd.start()
    }
    await eventually(async () => {
      const { data } = await client.listFiles({ querystring: { limit: 1000 } })
      assert.equal(data.length, KILLS * FILES)
      assert.ok(data.every(({ scan_state }) => scan_state !== 'pending'))
    })
    for (const [index, id] of ids.entries()) {
      const { scan_state, scan_detail } = (await client.getFile({ params: { id } })).data
      assert.deepEqual([scan_state, scan_detail], index % 2 ? ['infected', EICAR_NAME] : ['clean', null])
      const { status } = await fetch(`http://localhost:${service.port}/api/files/${id}/content`)
      assert.equal(status, index % 2 ? 409 : 200)
    }
    const entries = await client.listAuditEntries({ querystring: { event: 'file_infected', limit: 1000 } })
    assert.equal(entries.data.length, (KILLS * FILES) / 2, 'each is told once')
  },
)
