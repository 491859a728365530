import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort, portsOf } from './free-port.ts'

test('the processes of a test run share the ports, and none gets those of another', () => {
  const shares = Array.from({ length: 14 }, (_, index) => portsOf(`${index + 1}/14`))
  for (const [index, { first, last }] of shares.entries()) {
    assert.ok(first <= last)
    assert.ok(first > (shares[index - 1]?.last ?? 0))
  }
  const all = portsOf('1/1')
  assert.equal(shares[0]?.first, all.first)
  assert.ok((shares.at(-1)?.last ?? 0) <= all.last)
})

test('a process gets no port twice', async () => {
  const ports = [await freePort(), await freePort(), await freePort()]
  assert.equal(new Set(ports).size, ports.length)
})
