import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { hashKey, isKey, newKey, shownPrefix } from './api-key.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a key has a prefix, 30 random characters and their CRC-32 in six digits of base 62', () => {
  const key = newKey()
  assert.match(key, /^dp_[0-9A-Za-z]{36}$/)
  const sum = [...key.slice(33)].reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0)
  assert.equal(sum, crc32(key.slice(3, 33)))
  assert.ok(isKey(key))
})

test('every character of the alphabet occurs about equally often', () => {
  const counts = new Map<string, number>()
  const KEYS = 4000
  for (let n = 0; n < KEYS; n++)
    for (const character of newKey().slice(3, 33)) counts.set(character, (counts.get(character) ?? 0) + 1)
  const expected = (KEYS * 30) / 62
  assert.equal(counts.size, 62)
  for (const [character, count] of counts)
    assert.ok(Math.abs(count - expected) < expected * 0.15, `${character}: ${count}, about ${expected}`)
})

test('a key with any character changed is refused without a lookup', () => {
  const key = newKey()
  for (let n = 0; n < key.length; n++) {
    const changed = key.slice(0, n) + (key[n] === 'a' ? 'b' : 'a') + key.slice(n + 1)
    assert.equal(isKey(changed), false, changed)
  }
  for (const text of ['', 'dp_', `${key} `, ` ${key}`, key.replace('dp_', 'gh_')])
    assert.equal(isKey(text), false)
})

test('a key is stored as its SHA-256, and shown as its first characters', () => {
  const key = newKey()
  assert.equal(hashKey(key), createHash('sha256').update(key).digest('hex'))
  assert.equal(shownPrefix(key), key.slice(0, 8))
})
