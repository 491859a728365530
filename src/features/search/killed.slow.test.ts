import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type EmbeddingEndpoint, startEmbeddingEndpoint } from '#dev/embedding-endpoint.ts'
import { ended } from '#dev/processes.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import {
  type KillableService,
  killableService,
  killService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { type EmbeddedFields, embeddedFields, embeddingText } from './embedding-text.ts'

/** 20 for the full proof. */
const KILLS = Number(process.env.VECTOR_KILLS ?? 2)
/** More than the endpoint answers between the kills. */
const COMPANIES = 300 * KILLS
const ANSWERS_PER_KILL = 3
/** While the service is killed. */
const CHANGED = 50

let endpoint: EmbeddingEndpoint
let service: KillableService
before(async () => {
  endpoint = await startEmbeddingEndpoint()
  service = await killableService({
    EMBEDDINGS: 'openai-compatible',
    EMBEDDINGS_BASE_URL: endpoint.url,
    EMBEDDINGS_MODEL: 'small',
  })
})
after(async () => {
  await removeServices()
  await endpoint.close()
})

const read = async () => (await service.client.getSearchStatus()).data

/** Between a kill and the restart, each company has its vector or waits for it. */
async function checkNothingLost(): Promise<void> {
  const { db, close } = await service.openData()
  const { rows: tables } = await sql`select from pg_class where oid = to_regclass('embeddings')`.execute(db)
  const hash = tables.length > 0 ? sql`(select text_hash from embeddings where id = companies.id)` : sql`null`
  const { rows } = await sql<EmbeddedFields & { text_hash: string | null }>`
    select ${embeddedFields}, ${hash} as text_hash from companies
    where not exists (select from embeddings_due where embeddings_due.id = companies.id)
      and not exists (select from companies_to_embed where company_id = companies.id)`.execute(db)
  await close()
  const lost = rows.filter((company) => company.text_hash !== textHash(embeddingText(company)))
  assert.deepEqual(lost, [])
}

/** Another process, had it survived, would keep what it has claimed for three minutes. */
async function endClaims(): Promise<void> {
  if (!testServer) return
  const { db, close } = await service.openData()
  await sql`update embeddings_due set due_at = now() where reason is null`.execute(db)
  await close()
}

/** The names of companies whose vector is missing or belongs to another text. */
async function findUnembedded(): Promise<string[]> {
  const { db, close } = await service.openData()
  const { rows } = await sql<EmbeddedFields & { text_hash: string | null }>`
    select ${embeddedFields}, text_hash from companies left join embeddings using (id)`.execute(db)
  await close()
  assert.ok(rows.length > COMPANIES)
  return rows
    .filter((company) => company.text_hash !== textHash(embeddingText(company)))
    .map(({ name }) => name)
}

test(`a service that is killed ${KILLS} times while it indexes leaves no company without its vector`, async (t) => {
  const random = loggedRandom(t)
  let running = await service.start()
  const names = Array.from({ length: COMPANIES }, (_value, n) => `Company ${n}`)
  await service.client.importCompanies({ body: `name\n${names.join('\n')}\n` })
  const { data: companies } = await service.client.listCompanies({ querystring: { limit: 1000 } })
  const never = new Promise<void>(() => {})
  let [answers, maxAnswers] = [0, 0]
  endpoint.failWith = () => (answers < maxAnswers && ++answers ? undefined : { after: never })
  for (let n = 0; n < KILLS; n++) {
    maxAnswers += ANSWERS_PER_KILL
    // The first kill interrupts the index of words, the others that of vectors.
    if (n > 0) await eventually(() => assert.equal(answers, maxAnswers))
    const first = Math.floor(random() * (companies.length - CHANGED))
    const writes = Promise.allSettled([
      ...companies
        .slice(first, first + CHANGED)
        .map(({ id }) => service.client.updateCompany({ params: { id }, body: { hq_city: `City ${n}` } })),
      service.client.createCompany({ body: { name: `Created ${n}` } }),
    ])
    await sleep(300 * random())
    await killService(running)
    await writes
    await checkNothingLost()
    await endClaims()
    running = await service.start()
  }
  endpoint.failWith = () => undefined
  await service.client.createCompany({ body: { name: 'Last' } })
  await eventually(async () => {
    const { waiting, is_semantic, models } = await read()
    assert.deepEqual([waiting, models[0]?.waiting, models[0]?.failed, is_semantic], [0, 0, 0, true])
  })
  running.child.kill('SIGTERM')
  assert.equal(await ended(running.child), 0, running.log())
  assert.deepEqual(await findUnembedded(), [])
})
