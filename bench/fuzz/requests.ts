import fc from 'fast-check'
import {
  anyString,
  changedExample,
  csvFile,
  type KnownIds,
  NUMBERS,
  objectFor,
  queryFor,
  type Schema,
  segmentFor,
  toJson,
} from '#src/testing/fuzz-values.ts'
import { examplesOf, type Operation } from './document.ts'

export interface FuzzRequest {
  method: string
  /** With the query. */
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'PROPFIND', 'GET', 'POST', 'PATCH']
const MAX_BODY_BYTES = 1024 * 1024

/** Sent with most requests; undefined values are left out. */
const CREDENTIALS = {
  'x-user-email': [
    'ada@example.com',
    'grace@example.com',
    '',
    'x',
    'é@example.com',
    'a@b@c',
    'x'.repeat(300),
  ],
  authorization: ['Bearer x', 'Bearer ', 'Basic eDp5', 'Bearer eyJhbGciOiJub25lIn0.e30.', '\xff'],
  cookie: ['service_session=x', 'service_session=', 'a=b; =; ;;', 'service_session=%', '\xff=\xff'],
}
const TIMES = [
  '"2026-03-02T09:30:00.000Z"',
  '"2026-02-30T00:00:00Z"',
  '*',
  'W/"x"',
  '"',
  '',
  'x'.repeat(5000),
]
const HEADERS = {
  'if-match': TIMES,
  'if-none-match': TIMES,
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'Mon, 99 Foo 99999', '-1', ''],
  'if-range': [...TIMES, 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'idempotency-key': ['1', '', 'x'.repeat(255), 'x'.repeat(256), '"quoted"', '\xe9'],
  accept: ['text/html', '*/*;q=2', 'application/json;q=0', '', ',,,', 'text/event-stream'],
  'accept-language': ['de', '*', ';;;'],
  'accept-encoding': ['gzip', 'identity;q=0, *;q=0', 'br;q=x'],
  range: ['bytes=0-0', 'bytes=5-2', 'bytes=-0', 'bytes=0-,1-,2-', 'bytes=99999999999999999999-', 'lines=1-2'],
  origin: ['null', 'https://elsewhere.example', '', 'http://127.0.0.1'],
  'x-forwarded-for': ['1.2.3.4', 'x', '::1, ,'],
  'x-request-id': ['x', '', 'x'.repeat(500), '\xff'],
  'content-encoding': ['gzip', 'identity', 'x'],
  'last-event-id': ['1', '\xff'],
}
const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'text/csv',
  'text/csv; charset=x',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  ';',
  '',
]

const optional = (values: string[], weight: number): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 100 - weight, arbitrary: fc.constant(undefined) },
    { weight, arbitrary: fc.constantFrom(...values) },
  )

const headerRecord = (values: Record<string, string[]>, weight: number) =>
  fc.record(Object.fromEntries(Object.entries(values).map(([name, of]) => [name, optional(of, weight)])))

const isSent = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined

const headers: fc.Arbitrary<Record<string, string>> = fc
  .tuple(headerRecord(CREDENTIALS, 4), headerRecord(HEADERS, 4))
  .map(([credentials, others]) =>
    Object.fromEntries(Object.entries({ ...credentials, ...others }).filter(isSent)),
  )

interface Payload {
  type: string
  body: Buffer
}

/** JSON texts that no serializer writes. */
function oddJson(example: object): fc.Arbitrary<Buffer> {
  const text = JSON.stringify(example)
  const inner = text.slice(1, -1)
  const depth = fc.constantFrom(21, 1000, 100_000)
  return fc.oneof(
    depth.map((levels) => Buffer.from(`${'['.repeat(levels)}${']'.repeat(levels)}`)),
    depth.map((levels) => Buffer.from(`{"metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`)),
    fc.constantFrom(
      Buffer.from(`{${inner},${inner}}`),
      Buffer.from(`{${inner},"__proto__":{"x":1}}`),
      Buffer.from(`{${inner},"constructor":{"prototype":{}}}`),
      Buffer.from(`\ufeff${text}`),
      Buffer.from(text, 'utf16le'),
      Buffer.from(`{"name":"\xe9\xff","title":"\xc3"}`, 'latin1'),
      Buffer.from(text.slice(0, -1)),
      Buffer.from(`${text}${text}`),
      Buffer.from(text.replaceAll('"', "'")),
      Buffer.alloc(0),
    ),
    fc
      .constantFrom(60_000, 70_000, 900_000, MAX_BODY_BYTES + 1)
      .chain((length) =>
        fc
          .constantFrom(...Object.keys(example), 'name')
          .map((name) => Buffer.from(JSON.stringify({ ...example, [name]: 'x'.repeat(length) }))),
      ),
    fc
      .constantFrom(...Object.keys(example), 'name')
      .map((name) => Buffer.from(JSON.stringify({ ...example, [name]: Array(50_000).fill(1) }))),
  )
}

const textOf = (value: string) => Buffer.from(value)

function jsonBody(schema: Schema, examples: object[], known: KnownIds): fc.Arbitrary<Buffer> {
  const changed = examples.map((example) => changedExample(example, schema, known).map(toJson).map(textOf))
  return fc.oneof(
    { weight: 8, arbitrary: objectFor(schema, known).map(toJson).map(textOf) },
    { weight: 8, arbitrary: fc.oneof(...changed) },
    { weight: 1, arbitrary: anyString.map(textOf) },
    { weight: 1, arbitrary: oddJson(examples[0] ?? {}) },
  )
}

const form = (name: string, file: string): Buffer =>
  Buffer.from(
    `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.csv"\r\n\r\n${file}\r\n--x--\r\n`,
  )

const csvBytes: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: csvFile.map(textOf) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.oneof(anyString, fc.constantFrom(...NUMBERS)), { minLength: 3, maxLength: 3 })
      .map((cells) => `name,website,revenue_eur\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`)}\n`)
      .map(textOf),
  },
  { weight: 1, arbitrary: csvFile.map((file) => Buffer.from(`\ufeff${file}`, 'utf16le')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('"', ',', '\n', '\r', 'x,"a\n', '"\0')
      .map((part) => Buffer.from(`name\n${part.repeat(20_000)}`)),
  },
)

function payloadOf({ method, bodies }: Operation, known: KnownIds): fc.Arbitrary<Payload | undefined> {
  const json = bodies['application/json']
  if (json) {
    const examples = examplesOf(json) as object[]
    return jsonBody(json.schema, examples, known).map((body) => ({ type: 'application/json', body }))
  }
  if (bodies['text/csv'])
    return fc.oneof(
      csvBytes.map((body) => ({ type: 'text/csv', body })),
      fc.tuple(fc.constantFrom('file', 'mapping', ''), csvFile).map(([name, file]) => ({
        type: 'multipart/form-data; boundary=x',
        body: form(name, file),
      })),
    )
  if (method === 'GET') return fc.constant(undefined)
  return fc.option(
    anyString.map((text) => ({ type: 'application/json', body: textOf(text) })),
    { nil: undefined },
  )
}

/** Odd and invalid requests to an operation, and sometimes with another method to its path. */
export function requestsTo(operation: Operation, known: KnownIds): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      segment: segmentFor(known),
      query: fc.oneof(fc.constant(''), queryFor(operation.queryNames, known)),
      headers,
      payload: payloadOf(operation, known),
      type: optional(CONTENT_TYPES, 5),
    })
    .map(({ method, segment, query, headers: sent, payload, type }) => {
      const path = operation.path.replace(/\{\w+\}/, () => segment)
      const contentType = type ?? payload?.type
      return {
        method,
        path: query ? `${path}?${query}` : path,
        headers: {
          'x-user-email': 'ada@example.com',
          ...sent,
          ...(contentType === undefined ? {} : { 'content-type': contentType }),
        },
        body: payload?.body,
      }
    })
}
