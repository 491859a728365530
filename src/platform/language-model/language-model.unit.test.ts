import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Type } from 'typebox'
import {
  type ChatRequest,
  type LanguageModelEndpoint,
  startLanguageModelEndpoint,
} from '#dev/language-model-endpoint.ts'
import type { MockFailure } from '#dev/mock-endpoint.ts'
import { EndpointFailure, EndpointRejection } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { eventually } from '#src/testing/eventually.ts'
import { createLanguageModel, type LanguageModel, Unanswered } from './language-model.ts'

let endpoint: LanguageModelEndpoint
let model: LanguageModel
before(async () => {
  endpoint = await startLanguageModelEndpoint()
})
beforeEach(() => {
  endpoint.failWith = () => undefined
  endpoint.answer = () => '{"color": "red"}'
  endpoint.requests.length = 0
  model = open()
})
after(() => endpoint.close())

/** A tenth of the usual. */
const INITIAL_BACKOFF_MS = 50

const open = (name = 'small') =>
  createLanguageModel(
    { baseUrl: endpoint.url, apiKey: 'secret', model: name },
    { initialBackoffMs: INITIAL_BACKOFF_MS },
  )

const schema = Type.Object({ color: Type.String() }, { additionalProperties: false })
const waits: string[] = []

const ask = (material = 'A rose.', stopped = new AbortController().signal, of = model) =>
  of.ask(
    {
      instructions: 'Name the color.',
      material,
      schema,
      validate: ({ color }) => (color === 'loud' ? 'loud is not a color.' : undefined),
    },
    { stopped, onRetry: (reason) => waits.push(reason) },
  )

test('an answer matches the given schema, and its tokens are counted', async () => {
  let key: string | undefined
  endpoint.failWith = (_request, authorization) => {
    key = authorization
    return undefined
  }
  assert.deepEqual(await ask(), {
    answer: { color: 'red' },
    usage: { calls: 1, input_tokens: 2, output_tokens: 5 },
  })
  const [request] = endpoint.requests
  assert.equal(key, 'Bearer secret')
  assert.deepEqual(request?.response_format?.json_schema?.schema, {
    type: 'object',
    required: ['color'],
    properties: { color: { type: 'string' } },
    additionalProperties: false,
  })
  assert.match(request?.messages[0]?.content ?? '', /^Name the color\./)
  assert.deepEqual(request?.messages[1], { role: 'user', content: 'A rose.' })
})

test('reasoning and code fences around an answer are removed', async () => {
  endpoint.answer = () => '<think>Is it {red}?</think>\n```json\n{"color": "red"}\n```'
  assert.deepEqual((await ask()).answer, { color: 'red' })
})

test('after a malformed answer, asks once more and quotes the problem', async () => {
  const wrong: [string, RegExp][] = [
    ['red, I think', /not JSON/],
    ['{"color": 7}', /color must be .*not 7/],
    ['{"color": "red", "smell": "sweet"}', /smell is not a known field/],
    ['{"color": "loud"}', /loud is not a color/],
    ['', /not JSON/],
  ]
  for (const [text, fault] of wrong) {
    endpoint.requests.length = 0
    endpoint.answer = ({ messages }) => (messages.length === 2 ? text : '{"color": "red"}')
    const { answer, usage } = await ask()
    assert.deepEqual(answer, { color: 'red' })
    assert.deepEqual(usage, { calls: 2, input_tokens: 6, output_tokens: 10 })
    assert.match(endpoint.requests[1]?.messages[3]?.content ?? '', fault)
    endpoint.answer = () => text
    await assert.rejects(ask(), (error: Unanswered) => {
      assert.equal(error.kind, 'malformed')
      assert.match(error.message, fault)
      assert.equal(error.usage.calls, 2)
      return true
    })
  }
})

test('falls back to plain JSON if the endpoint does not support schemas', async () => {
  endpoint.failWith = ({ response_format }) =>
    response_format?.json_schema ? { status: 400, message: 'json_schema is not supported' } : undefined
  assert.deepEqual((await ask()).answer, { color: 'red' })
  assert.deepEqual((await ask()).answer, { color: 'red' })
  assert.deepEqual(
    endpoint.requests.map(({ response_format }) => response_format?.type),
    ['json_schema', 'json_object', 'json_object'],
  )
})

/** Whether this is the probe, which is always valid. */
const isProbe = ({ messages }: ChatRequest) => messages[0]?.content === 'Answer with the word yes.'

test('a rejected or failed question has no answer but a reason', async () => {
  const cases: [MockFailure, Unanswered['kind'], RegExp][] = [
    [{ status: 400, message: 'too long' }, 'refused', /rejected the text \(400: too long\)/],
    [{ status: 500 }, 'model_error', /failed \(500\)/],
    [{ body: '<html>' }, 'model_error', /unreadable response/],
  ]
  for (const [fault, kind, message] of cases) {
    endpoint.failWith = (request) => (isProbe(request) ? undefined : fault)
    await assert.rejects(ask(), (error: Unanswered) => {
      assert.deepEqual([error.kind, error.usage.calls], [kind, 0])
      assert.match(error.message, message)
      return true
    })
  }
})

test('an endpoint that rejects everything is rejected at once, with its own words', async () => {
  endpoint.failWith = () => ({ status: 400, message: 'no such parameter' })
  waits.length = 0
  await assert.rejects(ask(), (error: Error) => {
    assert.ok(error instanceof EndpointRejection)
    assert.match(error.message, /400: no such parameter\)\. It rejects every question/)
    return true
  })
  assert.deepEqual(waits, [])
})

test('a long Retry-After fails immediately', async () => {
  endpoint.failWith = () => ({ status: 429, headers: { 'retry-after': '200' } })
  await assert.rejects(ask(), EndpointFailure)
  endpoint.requests.length = 0
  await assert.rejects(ask(), /rate limited/)
  assert.equal(endpoint.requests.length, 0)
})

test('retries back off even if Retry-After is 0', async () => {
  let failures = 3
  endpoint.failWith = () => (failures-- > 0 ? { status: 503, headers: { 'retry-after': '0' } } : undefined)
  await ask()
  assert.equal(endpoint.requests.length, 4)
})

test('all questions wait for the Retry-After of a rate-limited endpoint', async () => {
  let pauses = 0
  let resting = 0
  let requested = 0
  endpoint.failWith = () => {
    if (Date.now() < resting) requested += 1
    if (pauses > 0) return undefined
    pauses += 1
    resting = Date.now() + 400
    return { status: 429, headers: { 'retry-after-ms': '500' } }
  }
  waits.length = 0
  const first = ask()
  await eventually(() => assert.notEqual(waits.length, 0))
  assert.deepEqual((await ask()).answer, { color: 'red' })
  assert.deepEqual((await first).answer, { color: 'red' })
  assert.equal(requested, 0)
  assert.match(waits[0] ?? '', /rate limited \(429\)/)
})

test('retries a failing endpoint, whatever the error', async () => {
  for (const error of [{ status: 500 }, { status: 503 }, { cut: true as const }, { status: 401 }]) {
    let failures = 2
    endpoint.failWith = () => (failures-- > 0 ? error : undefined)
    assert.deepEqual((await ask()).answer, { color: 'red' })
  }
})

test('gives up on a question that keeps failing while others succeed', async () => {
  endpoint.failWith = ({ messages }) => (messages[1]?.content === 'Poison' ? { status: 500 } : undefined)
  const stop = new AbortController()
  const others = (async () => {
    while (!stop.signal.aborted) await ask()
  })()
  await assert.rejects(ask('Poison'), (error: Unanswered) => {
    assert.equal(error.kind, 'model_error')
    assert.match(error.message, /failed \(500\)/)
    return true
  })
  stop.abort()
  await others
})

test('an endpoint that fails on every question is an outage', async () => {
  endpoint.failWith = () => ({ status: 500 })
  await assert.rejects(ask(), (error: Error) => {
    assert.ok(error instanceof EndpointFailure)
    assert.match(error.message, /failed \(500\); try again later/)
    return true
  })
})

test('stopping ends the wait', async () => {
  endpoint.failWith = () => ({ status: 429, headers: { 'retry-after': '4' } })
  const stop = new AbortController()
  waits.length = 0
  const asking = ask('A rose.', stop.signal)
  await eventually(() => assert.notEqual(waits.length, 0))
  stop.abort()
  await assert.rejects(asking, (error) => !(error instanceof Unanswered))
  await assert.rejects(ask('A rose.', AbortSignal.abort()), (error) => !(error instanceof EndpointFailure))
})
