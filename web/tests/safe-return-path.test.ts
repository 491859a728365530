import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeReturnPath } from '#web/screens/sign-in/safe-return-path.ts'

const origin = 'https://deals.example.com'

test('paths of this service are kept', () => {
  for (const path of ['/', '/home', '/companies?status=active&q=a%2Fb#top', '/docs', '/apiary'])
    assert.equal(safeReturnPath(path, origin), path)
  assert.equal(safeReturnPath(`${origin}/home?x=1`, origin), '/home?x=1')
})

test('addresses that browsers resolve to another site are rejected', () => {
  const foreign = [
    ...['//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example', '/\n\\evil.example'],
    ...['/.//evil.example', '/x/..//evil.example', '/%2e//evil.example', 'https://evil.example/'],
    ...[
      'javascript:alert(1)',
      `blob:${origin}/x`,
      `${origin}.evil.example/`,
      'https://deals.example.com@evil/',
    ],
    ...['http://deals.example.com/', '/api/auth/idp', 'http://', undefined, null, 7, ['/home'], {}],
  ]
  for (const address of foreign) assert.equal(safeReturnPath(address, origin), undefined, String(address))
})
