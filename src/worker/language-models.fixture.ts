import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import {
  type ChatRequest,
  instructionsIn,
  type LanguageModelEndpoint,
  startLanguageModelEndpoint,
} from '#dev/language-model-endpoint.ts'
import type { BulkAction } from '#src/features/bulk-actions/schema.ts'
import { createLanguageModel } from '#src/platform/language-model/language-model.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { enrichmentHandler } from './enrichment.ts'
import { scoringHandler } from './scoring.ts'
import type { WebsiteReader } from './website.ts'
import type { Handlers } from './work.ts'
import { startWorker } from './worker.ts'

export let endpoint: LanguageModelEndpoint
/** A service whose worker uses the language model of the test. */
export let byModel: Service
/** The text of each website in the test. */
export let pages: Record<string, string>
export const storage = { rejectsWrites: false }

/** Starts the services before the tests of a file, and resets the model before each. */
export function startBeforeTests(): void {
  before(async () => {
    endpoint = await startLanguageModelEndpoint()
    byModel = await openByModel(endpoint.url)
  })
  beforeEach(() => {
    storage.rejectsWrites = false
    pages = {}
    endpoint.failWith = () => undefined
    endpoint.answer = judge
    endpoint.requests.length = 0
  })
  after(async () => {
    await byModel.close()
    await endpoint.close()
  })
}

function openByModel(baseUrl: string): Promise<Service> {
  const model = createLanguageModel({ baseUrl, apiKey: undefined, model: 'small' })
  const websites: WebsiteReader = {
    read: async (url) =>
      pages[url]
        ? { url, text: pages[url], read_at: '2026-03-02T09:30:04.000Z' }
        : { url, reason: 'The website responded with status 404.' },
  }
  return openService({ LLM: 'openai-compatible', LLM_BASE_URL: baseUrl, LLM_MODEL: 'small' }, () => ({
    llm_score: scoringHandler(model),
    enrich_profile: enrichmentHandler(model, websites),
  }))
}

export interface Service extends TestApp {
  close(): Promise<void>
}

/** Starts a service with a worker, and object storage that rejects writes while `storage.rejectsWrites` is set. */
export async function openService(
  settings: Record<string, string>,
  handlersOf: (api: TestApp) => Handlers,
): Promise<Service> {
  const api = await testApp(settings)
  const { objects, bulkQueues, sessions, log } = api.context
  const { write } = objects
  ;(objects as Objects).write = (files) =>
    storage.rejectsWrites ? Promise.reject(new Error('read-only')) : write(files)
  const baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 })
  const stop = startWorker({
    baseUrl,
    sessions,
    queues: bulkQueues,
    handlers: handlersOf(api),
    concurrency: 3,
    log,
  })
  return {
    ...api,
    close: async () => {
      await stop()
      await api.close()
    },
  }
}

/** Scores every criterion 80 and quotes the company's name. */
export function judge(request: ChatRequest): string {
  const { name } = recordIn(request)
  const names = [...instructionsIn(request).matchAll(/^- (\w+): [A-Z].*\?/gm)].map((match) => match[1])
  return JSON.stringify({
    criteria: names.map((criterion) => ({
      name: criterion,
      score: 80,
      reason: `Good: ${criterion}.`,
      evidence: [`name: ${name}`],
    })),
  })
}

export const materialIn = ({ messages }: ChatRequest, name: string): string =>
  new RegExp(`<${name}>\n(.*?)\n</${name}>`, 's').exec(
    messages.find(({ role }) => role === 'user')?.content ?? '',
  )?.[1] ?? '{}'
export const recordIn = (request: ChatRequest) => JSON.parse(materialIn(request, 'record'))

export async function create(service: Service, path: string, fields: object): Promise<string> {
  const { status, body } = await service.call('POST', path, fields)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

export const createCompany = (service: Service, fields: object) => create(service, '/api/companies', fields)
export const createThesis = (service: Service, code: string, fields = {}) =>
  create(service, '/api/theses', { code, title: `Thesis ${code}`, ...fields })

export async function start(
  service: Service,
  action_type: string,
  company_ids: string[],
  fields = {},
): Promise<string> {
  return create(service, '/api/bulk-actions', { action_type, company_ids, ...fields })
}

export const ended = (
  service: Service,
  id: string,
  condition = (action: BulkAction) => action.completed_at !== null,
): Promise<BulkAction> =>
  eventually(async () => {
    const { data } = (await service.call('GET', `/api/bulk-actions/${id}`)).body
    assert.ok(condition(data), JSON.stringify(data))
    return data
  })

export const modelIsCalled = () =>
  eventually(() => assert.ok(endpoint.requests.length > 0, 'the model was not called'))

export const run = async (service: Service, action_type: string, company_ids: string[], fields = {}) =>
  ended(service, await start(service, action_type, company_ids, fields))

export const detail = async (service: Service, id: string) =>
  (await service.call('GET', `/api/companies/${id}`)).body.data

export async function failuresOf(service: Service, { id }: BulkAction) {
  const { body } = await service.call('GET', `/api/bulk-actions/${id}/companies?state=failed`)
  return body.data.map(({ error_kind, error }: { error_kind: string; error: string }) => [error_kind, error])
}
