import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Fault } from '#dev/faulty-endpoint.ts'
import {
  type ChatRequest,
  type LanguageModelEndpoint,
  startLanguageModelEndpoint,
} from '#dev/language-model-endpoint.ts'
import { EndpointFailure } from './endpoint-faults.ts'
import { createLanguageModel, type LanguageModel, Unanswered } from './language-model.ts'

let endpoint: LanguageModelEndpoint
let model: LanguageModel
before(async () => {
  endpoint = await startLanguageModelEndpoint()
})
beforeEach(() => {
  endpoint.fault = () => undefined
  endpoint.answer = () => '{"color": "red"}'
  endpoint.requests.length = 0
  model = open()
})
after(() => endpoint.close())

const open = (name = 'small') => createLanguageModel({ baseUrl: endpoint.url, apiKey: 'secret', model: name })

const schema = Type.Object({ color: Type.String() }, { additionalProperties: false })
const waits: string[] = []

const ask = (material = 'A rose.', stopped = new AbortController().signal, of = model) =>
  of.ask(
    {
      instructions: 'Name the color.',
      material,
      schema,
      faultOf: ({ color }) => (color === 'loud' ? 'loud is not a color.' : undefined),
    },
    { stopped, onRetry: (reason) => waits.push(reason) },
  )

test('an answer fits the schema that the model was given, and its tokens are counted', async () => {
  let key: string | undefined
  endpoint.fault = (_request, authorization) => {
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

test('thoughts and fences around an answer are left out', async () => {
  endpoint.answer = () => '<think>Is it {red}?</think>\n```json\n{"color": "red"}\n```'
  assert.deepEqual((await ask()).answer, { color: 'red' })
})

test('a malformed answer is asked for once more, with what is wrong with it', async () => {
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

test('an endpoint that does not know schemas is asked for plain JSON from then on', async () => {
  endpoint.fault = ({ response_format }) =>
    response_format?.json_schema ? { status: 400, message: 'json_schema is not supported' } : undefined
  assert.deepEqual((await ask()).answer, { color: 'red' })
  assert.deepEqual((await ask()).answer, { color: 'red' })
  assert.deepEqual(
    endpoint.requests.map(({ response_format }) => response_format?.type),
    ['json_schema', 'json_object', 'json_object'],
  )
})

/** What nothing can be wrong with. */
const isProbe = ({ messages }: ChatRequest) => messages.length === 1

test('what the endpoint refuses or fails at has no answer, and says why', async () => {
  const cases: [Fault, Unanswered['kind'], RegExp][] = [
    [{ status: 400, message: 'too long' }, 'refused', /refused the text \(400: too long\)/],
    [{ status: 500 }, 'model_error', /failed \(500\)/],
    [{ body: '<html>' }, 'model_error', /cannot be read/],
  ]
  for (const [fault, kind, message] of cases) {
    endpoint.fault = (request) => (isProbe(request) ? undefined : fault)
    await assert.rejects(ask(), (error: Unanswered) => {
      assert.deepEqual([error.kind, error.usage.calls], [kind, 0])
      assert.match(error.message, message)
      return true
    })
  }
})

test('an endpoint that refuses everything is of no use, whatever the question', async () => {
  endpoint.fault = () => ({ status: 400, message: 'no such parameter' })
  waits.length = 0
  await assert.rejects(ask(), EndpointFailure)
  assert.match(waits[0] ?? '', /no such parameter\). It says so of every question/)
})

test('an endpoint that wants to be left alone for long is told of at once', async () => {
  endpoint.fault = () => ({ status: 429, headers: { 'retry-after': '200' } })
  await assert.rejects(ask(), EndpointFailure)
  endpoint.requests.length = 0
  await assert.rejects(ask(), /asked too often/)
  assert.equal(endpoint.requests.length, 0)
})

test('one that wants no pause gets one nevertheless', async () => {
  let failures = 3
  endpoint.fault = () => (failures-- > 0 ? { status: 503, headers: { 'retry-after': '0' } } : undefined)
  await ask()
  assert.equal(endpoint.requests.length, 4)
})

test('an endpoint that is asked too often is left alone for as long as it says, by all questions', async () => {
  let pauses = 0
  let resting = 0
  let asked = 0
  endpoint.fault = () => {
    if (Date.now() < resting) asked += 1
    if (pauses > 0) return undefined
    pauses += 1
    resting = Date.now() + 400
    return { status: 429, headers: { 'retry-after-ms': '500' } }
  }
  waits.length = 0
  const first = ask()
  await sleep(150)
  assert.deepEqual((await ask()).answer, { color: 'red' })
  assert.deepEqual((await first).answer, { color: 'red' })
  assert.equal(asked, 0)
  assert.match(waits[0] ?? '', /asked too often \(429\)/)
})

test('a failing endpoint is asked again, with whatever it fails', async () => {
  for (const fault of [{ status: 500 }, { status: 503 }, { cut: true as const }, { status: 401 }]) {
    let failures = 2
    endpoint.fault = () => (failures-- > 0 ? fault : undefined)
    assert.deepEqual((await ask()).answer, { color: 'red' })
  }
})

test('a question that fails again and again while others are answered is given up', async () => {
  endpoint.fault = ({ messages }) => (messages[1]?.content === 'Poison' ? { status: 500 } : undefined)
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

test('who is stopped does not wait', async () => {
  endpoint.fault = () => ({ status: 429, headers: { 'retry-after': '4' } })
  const stop = new AbortController()
  const asking = ask('A rose.', stop.signal)
  await sleep(100)
  stop.abort()
  await assert.rejects(asking, (error) => !(error instanceof Unanswered))
  await assert.rejects(ask('A rose.', AbortSignal.abort()), (error) => !(error instanceof EndpointFailure))
})
