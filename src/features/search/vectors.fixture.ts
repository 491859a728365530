import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { pino } from 'pino'
import { type EmbeddingEndpoint, startEmbeddingEndpoint, wordVector } from '#dev/embedding-endpoint.ts'
import type { Db } from '#src/platform/database/database.ts'
import { createEmbedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freshDatabase } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { TEXT_VERSION } from './embedding-text.ts'
import type { SearchStatus } from './schema.ts'
import { type EmbeddingWork, initialSpeed } from './vectors/embed-pending.ts'
import { EmbeddingModels } from './vectors/embedding-models.ts'
import { enqueueAllCompanies, enqueueAllVectors, indexNextBatch } from './words/index-changed.ts'
import { LexicalIndex } from './words/lexical-index.ts'

export const COMPANIES = [
  ['Volta', 'DE', 'Rents automobiles by the hour'],
  ['Hafer', 'SE', 'Oat drinks in place of dairy'],
  ['Vaktplan', 'NO', 'Shift planning for clinics and their nurses'],
  ['Greifer', 'DE', 'Automatons that sort parcels'],
  ['Parcelo', 'FR', 'Lockers that keep parcels'],
] as const

export let endpoint: EmbeddingEndpoint
export let api: TestApp
export let settings: Record<string, string>
/** Starts a service with an embedding endpoint and five companies before the tests of a file. */
export function startBeforeTests(): void {
  before(async () => {
    endpoint = await startEmbeddingEndpoint()
    settings = {
      EMBEDDINGS: 'openai-compatible',
      EMBEDDINGS_BASE_URL: endpoint.url,
      EMBEDDINGS_MODEL: 'small',
    }
    api = await testApp(settings)
    for (const [name, country_code, activity_description] of COMPANIES)
      await create({ name, country_code, activity_description })
    await embedded(api)
  })
  beforeEach(() => {
    endpoint.failWith = () => undefined
    endpoint.embed = wordVector
    endpoint.requests.length = 0
  })
  after(async () => {
    await api.close()
    await endpoint.close()
  })
}

export async function create(company: Record<string, unknown>, of = api): Promise<string> {
  const { status, body } = await of.call('POST', '/api/companies', company)
  assert.equal(status, 201)
  return body.data.id
}

export async function statusOf(of = api): Promise<SearchStatus> {
  const { status, body } = await of.call('GET', '/api/companies/search/status')
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

/** Waits until the configured model is complete and answers, and nothing is left to embed. */
export async function embedded(
  of: TestApp,
  until: (status: SearchStatus) => boolean = () => true,
): Promise<SearchStatus> {
  const read = async () => {
    const status = await statusOf(of)
    const [configured] = status.models
    const isDone =
      status.waiting === 0 &&
      configured?.waiting === 0 &&
      configured.state === 'complete' &&
      configured.model === status.answering
    assert.ok(isDone && until(status), JSON.stringify(status))
    return status
  }
  return eventually(read)
}

export interface Result {
  id: string
  name: string
  similarity: number
  embedding_stale: boolean
  matched_words?: string[]
  shares: { words: number; meaning: number }
}

export async function search(query: Record<string, string | number>, of = api) {
  const text = new URLSearchParams(query as Record<string, string>)
  const { status, body } = await of.call('GET', `/api/companies/search/semantic?${text}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { data: Result[]; pagination: { total: number; hasMore: boolean } }
}

export async function refused(q: string, of = api): Promise<string> {
  const { status, body } = await of.call('GET', `/api/companies/search/semantic?q=${q}`)
  assert.equal(status, 503, JSON.stringify(body))
  assert.equal(body.error, 'Dependency unavailable')
  return body.details
}

export const names = ({ data }: { data: Result[] }) => data.map(({ name }) => name)

/** Runs services one after another on the same database. */
export async function onDatabase(
  work: (open: (settings?: Record<string, string>) => Promise<TestApp>) => Promise<void>,
) {
  const { close, ...database } = await freshDatabase()
  const opened: TestApp[] = []
  try {
    await work(async (more = {}) => {
      await opened.pop()?.close()
      const service = await testApp(
        { ...settings, ...more },
        { database: { ...database, close: async () => {} } },
      )
      opened.push(service)
      return service
    })
  } finally {
    await opened.pop()?.close()
    await close()
  }
}

/** The embedding work of the model `small`, which runs when a test calls it. */
export function workOn(db: Db): EmbeddingWork {
  return {
    db,
    models: new EmbeddingModels(
      db,
      { name: 'small', dimensions: undefined, isAtEndpoint: true },
      TEXT_VERSION,
      enqueueAllVectors,
    ),
    embedder: createEmbedder({ baseUrl: endpoint.url, apiKey: undefined }),
    ...initialSpeed(),
    log: pino({ level: 'silent' }),
    isAlone: false,
    maxVectors: undefined,
  }
}

export const running = new AbortController().signal

/** Indexes the words of all changed companies, like the background work of the service. */
export async function indexWords(db: Db): Promise<void> {
  while ((await indexNextBatch(db, new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies))) > 0);
}
