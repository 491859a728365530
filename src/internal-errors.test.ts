import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openDatabase } from '#src/platform/database/open.ts'
import { errorForLog } from '#src/platform/process/logging.ts'
import { testApp } from './testing/app.ts'
import { eventually } from './testing/eventually.ts'

test('while the database is down, everything but the liveness check is a 503', async () => {
  const database = await openDatabase({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    dataFolder: '',
  })
  const down = await testApp({}, { database })
  try {
    assert.equal((await down.call('GET', '/healthz')).status, 200)
    for (const [method, url, body] of [
      ['GET', '/readyz'],
      ['GET', '/api/companies'],
      ['GET', '/api/companies/cmp_x'],
      ['POST', '/api/companies', { name: 'x' }],
      ['PATCH', '/api/dealflow/df_x', { stage: 'meeting' }],
      ['GET', '/api/companies/export'],
      ['GET', '/api/users/a@b.example'],
      ['GET', '/api/stats'],
    ] as const) {
      const answer = await down.call(method, url, body)
      assert.equal(answer.status, 503, url)
      assert.deepEqual(answer.body, {
        error: 'Dependency unavailable',
        details: 'The database cannot be reached. Try again in a moment.',
      })
    }
  } finally {
    await down.close()
  }
})

test('an outage logs its first request, and then a line per second with the number of others', async () => {
  const database = await openDatabase({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    dataFolder: '',
  })
  const lines: { msg: string; rejected?: number; causes?: string[] }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const down = await testApp({}, { database, log })
  try {
    const request = () => down.call('GET', '/api/companies')
    for (let n = 0; n < 5; n++) await Promise.all(Array.from({ length: 100 }, request))
    const isOfOutage = ({ msg }: { msg: string }) => msg.startsWith('The database cannot be reached.')
    const counted = () => lines.filter(isOfOutage).reduce((sum, { rejected = 1 }) => sum + rejected, 0)
    await eventually(() => assert.equal(counted(), 500))
    const ofOutage = lines.filter(isOfOutage)
    assert.match(String(ofOutage[0]?.causes), /ECONNREFUSED/)
    assert.ok(ofOutage.length <= 50, `${ofOutage.length} lines`)
    assert.doesNotMatch(JSON.stringify(ofOutage), /node:internal|\.ts:\d/)
    assert.equal(
      lines.filter(({ msg }) => msg.startsWith('GET /api/companies')).length,
      ofOutage.filter(({ causes }) => causes).length,
    )
  } finally {
    await down.close()
  }
})

test('internal errors leak nothing', async () => {
  const fail = () => Promise.reject(new Error('secret'))
  const objects = {
    read: fail,
    describe: fail,
    open: fail,
    write: async () => {},
    writeFile: async () => {},
    delete: async () => {},
    list: async function* () {},
  }
  const broken = await testApp({}, { objects })
  try {
    const id = (await broken.call('POST', '/api/companies', { name: 'x' })).body.data.id
    const detail = await broken.call('GET', `/api/companies/${id}`)
    assert.match(detail.body.data.company.enriched_data_error, /cannot be read from object storage/)
    assert.doesNotMatch(JSON.stringify(detail.body), /secret/)
    const { status, body } = await broken.call('GET', `/assets/companies/${id}/profile.json`)
    assert.equal(status, 503)
    assert.doesNotMatch(JSON.stringify(body), /secret/)
    broken.context.db.transaction = () => {
      throw new Error('select secret from table')
    }
    const failed = await broken.call('PATCH', '/api/dealflow/df_x', { stage: 'meeting' })
    assert.equal(failed.status, 500)
    assert.equal(failed.body.error, 'Internal error')
    assert.doesNotMatch(JSON.stringify(failed.body), /secret/)
  } finally {
    await broken.close()
  }
})

test('logged errors contain no values', async () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const log = pino({ level: 'info', serializers: { err: errorForLog } }, { write })
  const logged = await testApp({}, { log })
  try {
    await sql`alter table companies add constraint refuse_all check (name is null)`.execute(logged.context.db)
    const answer = await logged.call('POST', '/api/companies', { name: 'Jane Secret Ltd' })
    assert.equal(answer.status, 500)
    assert.ok(lines.some((line) => line.includes('refuse_all')))
    assert.doesNotMatch(lines.join(''), /Jane Secret/)
  } finally {
    await logged.close()
  }
})

test('an internal bug is not reported as a client error', async () => {
  const broken = await testApp()
  try {
    broken.context.companyLists.totals.get = () => Promise.reject(new SyntaxError('Unexpected token of ours'))
    const { status, body } = await broken.call('GET', '/api/companies')
    assert.equal(status, 500)
    assert.doesNotMatch(body.details, /token/)
  } finally {
    await broken.close()
  }
})

test('a form that cannot be read is a 400, without an error in the log', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const service = await testApp({}, { log })
  try {
    for (const url of ['/api/files', '/api/companies/import']) {
      const headers = { 'content-type': 'multipart/form-data; boundary=x', 'x-user-email': 'ada@example.com' }
      const answer = await service.call('POST', url, undefined, { payload: '--x\r\nbroken', headers })
      assert.equal(answer.status, 400)
      assert.match(answer.body.details, /^The form cannot be read: /)
    }
    assert.deepEqual(lines, [])
  } finally {
    await service.close()
  }
})
