import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { Type } from 'typebox'
import type { Embedding } from '#src/platform/embeddings/embedding-batches.ts'
import { createEmbedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { EndpointRejection } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { slow } from '#src/testing/slow.ts'
import { createLanguageModel, Unanswered } from './language-model.ts'

interface ModelRequest {
  messages: { role: string; content: string }[]
  response_format?: { type: string }
  input: string[]
  encoding_format?: string
  input_type?: string
}
interface Reply {
  status?: number
  body: unknown
}
/** @param n the number of the request, from 0 */
type Server = (requested: ModelRequest, n: number) => Reply | Promise<Reply>

const closes: (() => void)[] = []
after(() => {
  for (const close of closes) close()
})

/** A server with a quirk, and the requests that it got. */
async function serve(reply: Server) {
  const requests: ModelRequest[] = []
  const server = createServer(async (request, response) => {
    const requested = (await json(request)) as ModelRequest
    const { status = 200, body } = await reply(requested, requests.push(requested) - 1)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closes.push(() => server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

const ANSWER = '{"color":"red"}'
const schema = Type.Object({ color: Type.String() }, { additionalProperties: false })

const says = (content: string | null, rest: object = {}, choice: object = {}): Reply => ({
  body: {
    choices: [{ message: { role: 'assistant', content, ...rest }, finish_reason: 'stop', ...choice }],
    usage: { prompt_tokens: 90, completion_tokens: 10 },
  },
})
const refuses = (message: string, status = 400): Reply => ({ status, body: { error: { message } } })

async function open(reply: Server) {
  const { url, requests } = await serve(reply)
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })
  const model = createLanguageModel(
    { baseUrl: url, apiKey: 'secret', model: 'small' },
    { initialBackoffMs: 20, log },
  )
  const waits: string[] = []
  const ask = (material = 'What color?') =>
    model.ask(
      { instructions: 'Answer.', material, schema },
      { stopped: AbortSignal.timeout(60_000), onRetry: (reason: string) => void waits.push(reason) },
    )
  return { ask, requests, warnings, waits }
}

const asksFor = (type: string) => (requested: ModelRequest) => requested.response_format?.type === type

for (const [title, isRefused, refusal, extra] of [
  ['json_schema', asksFor('json_schema'), refuses('The grammar of this schema cannot be compiled.'), 1],
  [
    'every response_format',
    (requested: ModelRequest) => requested.response_format,
    refuses('response_format: no'),
    2,
  ],
  [
    'the system role',
    (requested: ModelRequest) => requested.messages[0]?.role === 'system',
    refuses('System role not supported'),
    1,
  ],
  ['a schema with status 500', asksFor('json_schema'), refuses('failed to parse grammar', 500), 1],
] as const)
  test(`a server that refuses ${title} is asked without it, and learns once`, async () => {
    const { ask, requests, warnings } = await open((requested) =>
      isRefused(requested) ? refusal : says(ANSWER),
    )
    for (let n = 0; n < 5; n++) assert.deepEqual((await ask()).answer, { color: 'red' })
    assert.equal(requests.length, 5 + extra)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /refuses .*; continuing without it$/)
    for (const { messages } of requests) assert.match(JSON.stringify(messages), /JSON schema.*color/)
  })

test('a question that is refused after another one has learned the shape is asked again', async () => {
  let learn = () => {}
  const learned = new Promise<void>((resolve) => {
    learn = resolve
  })
  const { ask } = await open(async ({ messages }, n) => {
    if (n === 1) await learned
    return messages.some(({ role }) => role === 'system')
      ? refuses('System role not supported')
      : says(ANSWER)
  })
  const questions = [ask(), ask('And now?')]
  await Promise.any(questions)
  learn()
  for (const { answer } of await Promise.all(questions)) assert.deepEqual(answer, { color: 'red' })
})

test('a server that rejects every question ends the work, with its own words', async () => {
  const { ask, waits } = await open(() => refuses('Model small is retired.'))
  await assert.rejects(ask(), (error) => {
    assert.ok(error instanceof EndpointRejection)
    assert.match(error.message, /400: Model small is retired/)
    return true
  })
  assert.deepEqual(waits, [])
})

test('texts that are all refused end the work, and a retry tries as many again', async () => {
  const { ask } = await open(({ messages }) =>
    messages.some(({ content }) => content.includes('yes')) ? says('yes') : refuses('Flagged.'),
  )
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 4; n++) await assert.rejects(ask(), Unanswered)
    await assert.rejects(ask(), /It has rejected the first 5 texts and answered none/)
  }
})

const THOUGHT = 'The user wants {"color": "a color"}. Perhaps {blue}?'
for (const [title, reply] of [
  ['after a thought without a start', says(`${THOUGHT}\n</think>\n${ANSWER}`)],
  ['after a thought with braces', says(`<think>${THOUGHT}</think>${ANSWER}`)],
  ['in the reasoning field', says(null, { reasoning_content: `${THOUGHT} ${ANSWER}` })],
  [
    'in a code fence followed by braces',
    says(`\`\`\`json\n${ANSWER}\n\`\`\`\nReplace {color} as needed. {}`),
  ],
  ['between sentences', says(`Here it is: ${ANSWER} I hope {this} helps.`)],
] as const)
  test(`an answer ${title} is found`, async () => {
    const { ask, requests } = await open(() => reply)
    assert.deepEqual((await ask()).answer, { color: 'red' })
    assert.equal(requests.length, 1)
  })

test('a thought that is cut off is named, and not paid for twice', async () => {
  const cut = says(`<think>${THOUGHT}`, {}, { finish_reason: 'length' })
  const { ask, requests } = await open(() => cut)
  await assert.rejects(
    ask(),
    /ended while it was still thinking; raise the endpoint's limit of output tokens/,
  )
  assert.equal(requests.length, 1)
})

for (const [title, reply, reason] of [
  [
    'a rate limit in a 200',
    { body: { error: { code: 429, message: 'Slow down.' } } },
    /rate limited \(429\)/,
  ],
  ['an error in a choice', says(null, {}, { error: { code: 502, message: 'Upstream' } }), /failed \(502\)/],
  ['an overload', refuses('Overloaded', 529), /is overloaded \(529\)/],
  ['a missing credit', refuses('Insufficient credits', 402), /has no credit left \(402\)/],
  [
    'an empty quota',
    {
      status: 429,
      body: { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } },
    },
    /has no credit left \(429\)/,
  ],
] as const)
  test(`${title} is waited for, and named`, async () => {
    const { ask, waits } = await open((_requested, n) => (n < 2 ? reply : says(ANSWER)))
    assert.deepEqual((await ask()).answer, { color: 'red' })
    assert.ok(waits.length > 0)
    for (const wait of waits) assert.match(wait, reason)
  })

test('a prompt that the server cuts gives a warning', async () => {
  const { body } = says(ANSWER) as { body: object }
  const { ask, warnings } = await open(() => ({
    body: { ...body, usage: { prompt_tokens: 4096, completion_tokens: 10 } },
  }))
  assert.match(
    (await ask('word '.repeat(8000))).warning ?? '',
    /^The language model read only 4,096 tokens of a prompt/,
  )
  assert.equal((await ask('short')).warning, undefined)
  assert.equal(warnings.length, 1)
})

test('every response with status 200 is paid for, with or without a text', async () => {
  for (const reply of [
    says(null, {}, { finish_reason: 'content_filter' }),
    says('', {}, { finish_reason: 'length' }),
    says(null, { tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }] }),
  ]) {
    const { ask, requests } = await open(() => reply)
    await assert.rejects(ask(), (error) => {
      assert.ok(error instanceof Unanswered)
      const { calls, input_tokens, output_tokens } = error.usage
      assert.deepEqual([calls, input_tokens, output_tokens], [requests.length, 90 * calls, 10 * calls])
      return true
    })
  }
})

test('usage that cannot be right is replaced with an estimate', async () => {
  for (const usage of [
    { prompt_tokens: -5, completion_tokens: 1e15 },
    { prompt_tokens: 'many' },
    null,
    undefined,
  ]) {
    const { body } = says(ANSWER) as { body: object }
    const { ask } = await open(() => ({ body: { ...body, usage } }))
    const { input_tokens, output_tokens } = (await ask()).usage
    assert.ok(input_tokens > 10 && input_tokens < 1000, `${input_tokens}`)
    assert.ok(output_tokens > 0 && output_tokens < 100, `${output_tokens}`)
  }
})

test('a huge answer is not read to its end', { skip: slow }, async () => {
  let sent = 0
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"choices":[{"message":{"content":"')
    const more = () => {
      while (sent < 300 * 1024 * 1024) {
        sent += 1024 * 1024
        if (!response.write('x'.repeat(1024 * 1024))) return void response.once('drain', more)
      }
      response.end('"}}]}')
    }
    response.on('error', () => {})
    more()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closes.push(() => server.close().closeAllConnections())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const model = createLanguageModel({ baseUrl, apiKey: 'secret', model: 'small' }, { initialBackoffMs: 20 })
  const stopped = AbortSignal.timeout(60_000)
  await assert.rejects(
    model.ask({ instructions: '', material: '', schema }, { stopped, onRetry: () => {} }),
    /answer is larger than 4 MB/,
  )
  assert.ok(sent < 200 * 1024 * 1024, `${sent} bytes`)
})

const vectorOf = (text: string) => [text.length, 1]
const embeds = (input: string[], encode: (vector: number[]) => unknown = (vector) => vector): Reply => ({
  body: { data: input.map((text, index) => ({ index, embedding: encode(vectorOf(text)) })) },
})
const base64 = (vector: number[]) => Buffer.from(new Float32Array(vector).buffer).toString('base64')
const texts = Array.from({ length: 64 }, (_value, n) => 'x'.repeat(n + 1))

async function openEmbedder(reply: Server) {
  const { url, requests } = await serve(reply)
  const embedder = createEmbedder({ baseUrl: url, apiKey: 'secret' })
  const options = { length: undefined, milliseconds: 60_000, retries: 0 }
  const embed = (batch = texts) => embedder.embed({ name: 'small' } as never, batch, options)
  return { embed, requests }
}

/** Every text has its own vector. */
function assertInOrder(found: Embedding[]): void {
  assert.equal(found.length, texts.length)
  for (const [index, embedding] of found.entries()) {
    assert.ok('vector' in embedding)
    const [x = 0, y = 1] = embedding.vector
    assert.ok(Math.abs(x / y - (index + 1)) < 1e-3, `${index}`)
  }
}

for (const [title, reply, limit] of [
  [
    'takes 10 texts at a time',
    ({ input }: ModelRequest) =>
      input.length > 10 ? refuses('batch size must be at most 10') : embeds(input),
    8 + 14,
  ],
  [
    'takes 20 texts and does not say so',
    ({ input }: ModelRequest) => (input.length > 20 ? refuses('Bad request') : embeds(input)),
    3 + 8,
  ],
  [
    'refuses encoding_format',
    (requested: ModelRequest) =>
      'encoding_format' in requested ? refuses('Unknown field: encoding_format') : embeds(requested.input),
    3,
  ],
  ['answers in base64', ({ input }: ModelRequest) => embeds(input, base64), 2],
  [
    'requires input_type',
    (requested: ModelRequest) =>
      requested.input_type ? embeds(requested.input) : refuses('input_type is required: query or passage'),
    3,
  ],
] as const)
  test(`an embedding server that ${title} embeds everything, and learns once`, async () => {
    const { embed, requests } = await openEmbedder(reply)
    for (let n = 0; n < 2; n++) {
      assertInOrder(await embed())
    }
    assert.ok(requests.length <= limit, `${requests.length} requests`)
  })

test('only the refused text has no vector', async () => {
  const { embed } = await openEmbedder(({ input }) =>
    input.some((text) => text.length === 7) ? refuses('Input is not allowed.') : embeds(input),
  )
  const found = await embed()
  const missing = found.flatMap((embedding, n) => ('reason' in embedding ? [n] : []))
  assert.deepEqual(missing, [6])
})

test('a text that is refused until it is shortened does not make the batches smaller', async () => {
  const { embed, requests } = await openEmbedder(({ input }) =>
    input.some((text) => text.length > 2000) ? refuses('The input is too long.') : embeds(input),
  )
  const found = await embed([...texts.slice(0, 15), 'x'.repeat(5000)])
  assert.ok(found.every((embedding) => 'vector' in embedding))
  requests.length = 0
  await embed()
  assert.equal(requests.length, 1)
})

test('vectors that a server leaves out are not taken from other texts', async () => {
  for (const kept of [0, 3]) {
    const { embed } = await openEmbedder(({ input }) =>
      embeds(input.length > 1 ? input.slice(0, kept) : input),
    )
    assertInOrder(await embed())
  }
})
