import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, DependencyUnavailable, errorOf, InvalidRequest } from './errors.ts'

test('an error has the texts of the response', async () => {
  const body = { error: 'Service unavailable', details: 'The database cannot be reached.' }
  const error = await errorOf(Response.json(body, { status: 503, headers: { 'x-request-id': 'r1' } }))
  assert.ok(error instanceof DependencyUnavailable)
  assert.deepEqual([error.error, error.details, error.requestId], [body.error, body.details, 'r1'])
})

test('an address or headers that are too long are a wrong request', async () => {
  for (const status of [414, 431])
    assert.ok((await errorOf(new Response(null, { status }))) instanceof InvalidRequest)
})

test('a response in another format, such as the page of a proxy, becomes a generic error', async () => {
  for (const body of [
    '<html><h1>502 Bad Gateway</h1></html>',
    '',
    'null',
    '7',
    '[]',
    '{"details":{"a":1}}',
  ]) {
    const error = await errorOf(new Response(body, { status: 502, statusText: 'Bad Gateway' }))
    assert.ok(error instanceof ApiError, body)
    assert.equal(error.error, 'Bad Gateway', body)
    assert.equal(error.details, 'The service responded with status 502 and no details.', body)
  }
})
