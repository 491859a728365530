import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp({ CORS_ORIGINS: 'https://app.example.com' })
})
after(() => api.close())

test('another method on a known path is a 405 that lists the allowed ones', async () => {
  for (const [method, url, allow] of [
    ['PUT', '/api/companies', 'DELETE, GET, HEAD, PATCH, POST'],
    ['PUT', '/api/companies/cmp_1?x=1', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/api/companies/', 'DELETE, GET, HEAD, PATCH, POST'],
    ['GET', '/api/auth/logout', 'POST'],
    ['POST', '/assets/companies/cmp_1/profile.json', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ] as const) {
    const { statusCode, headers, body } = await api.app.inject({ method, url })
    assert.equal(statusCode, 405, `${method} ${url}`)
    assert.equal(headers.allow, allow)
    assert.deepEqual(JSON.parse(body), {
      error: 'Method not allowed',
      details: `${method} is not allowed here. Allowed: ${allow}.`,
    })
  }
})

test('any method on an unknown path is a 404', async () => {
  for (const method of ['GET', 'DELETE'] as const)
    for (const url of ['/api/nothing', '/api/companies/cmp_1/nothing', '/nothing', '/healthzz']) {
      const { statusCode, headers } = await api.app.inject({ method, url })
      assert.equal(statusCode, 404, `${method} ${url}`)
      assert.equal(headers.allow, undefined)
    }
})
