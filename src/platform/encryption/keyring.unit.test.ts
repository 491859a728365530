import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { CannotOpen, createKeyring, Keyring, keyIdOf, prefixOf } from './keyring.ts'

const newKey = () => createSecretKey(randomBytes(32))
const NO_KEYS = { key: undefined, previousKeys: [] }

test('a secret opens with its key in its context, and each sealed value is different', async () => {
  const keyring = new Keyring(newKey())
  for (const secret of ['', 'whsec_ümläut \u{1f600}', 'x'.repeat(10_000)]) {
    const sealed = await keyring.seal(secret, 'webhooks.secret/hook_1')
    assert.equal(await keyring.open(sealed, 'webhooks.secret/hook_1'), secret)
    assert.notEqual(await keyring.seal(secret, 'webhooks.secret/hook_1'), sealed)
    assert.ok(sealed.startsWith(prefixOf(keyring.currentId)))
  }
})

test('a value that was moved to another row does not open', async () => {
  const keyring = new Keyring(newKey())
  const sealed = await keyring.seal('secret', 'webhooks.secret/hook_1')
  for (const context of ['webhooks.secret/hook_2', 'mailboxes.secret/hook_1', ''])
    await assert.rejects(keyring.open(sealed, context), CannotOpen)
})

test('a value of which any character was changed does not open', async () => {
  const keyring = new Keyring(newKey())
  const sealed = await keyring.seal('a secret', 'context')
  for (let index = 0; index < sealed.length; index++) {
    const changed = `${sealed.slice(0, index)}${sealed[index] === 'A' ? 'Q' : 'A'}${sealed.slice(index + 1)}`
    // The last character of each part may have bits that base64url ignores.
    await keyring.open(changed, 'context').then(
      (secret) => assert.ok(secret === 'a secret' && /[.]|^$/.test(sealed[index + 1] ?? ''), `at ${index}`),
      (error) => assert.ok(error instanceof CannotOpen, `at ${index}`),
    )
  }
})

test('what is no sealed value is refused, also one with another algorithm', async () => {
  const keyring = new Keyring(newKey())
  const header = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url')
  const kid = keyring.currentId
  for (const text of [
    '',
    'plain text',
    'a.b.c.d.e',
    `${header({ alg: 'dir', enc: 'A256GCM' })}....`,
    `${header({ alg: 'dir', enc: 'A128CBC-HS256', kid })}..AAAA.AAAA.AAAA`,
    `${header({ alg: 'A256KW', enc: 'A256GCM', kid })}.AAAA.AAAA.AAAA.AAAA`,
    `${header({ alg: 'dir', enc: 'A256GCM', kid: '\n'.repeat(10) })}..AAAA.AAAA.AAAA`,
  ])
    await assert.rejects(
      keyring.open(text, 'context'),
      (error) => error instanceof CannotOpen && /^A stored secret was changed/.test(error.message),
      text,
    )
})

test('previous keys only open, and an unknown key names the settings that need it', async () => {
  const [old, current] = [newKey(), newKey()]
  const before = new Keyring(old)
  const sealed = await before.seal('secret', 'context')
  const after = new Keyring(current, [old, current])
  assert.equal(await after.open(sealed, 'context'), 'secret')
  assert.deepEqual(after.previousIds, [before.currentId])
  assert.equal(keyIdOf(await after.seal('secret', 'context')), after.currentId)
  await assert.rejects(new Keyring(current).open(sealed, 'context'), (error: Error) => {
    assert.ok(error instanceof CannotOpen)
    assert.match(error.message, /ENCRYPTION_PREVIOUS_KEYS.*SESSION_SECRET/)
    assert.ok(error.message.includes(before.currentId))
    return true
  })
})

test('without a key of its own, all processes derive the same one from the session secret', async () => {
  const [first, second] = ['kX9wT2mQz7Lr5Vn8Yc3Bd6Hf1Jg4Ks0P', 'aZ4xS8cW1vE6bR9nT3mY7uQ2kI5oP0lJ']
  const one = createKeyring(NO_KEYS, [first])
  const sealed = await one.seal('secret', 'context')
  assert.equal(await createKeyring(NO_KEYS, [first]).open(sealed, 'context'), 'secret')
  assert.notEqual(createKeyring(NO_KEYS, [second]).currentId, one.currentId)
  const rotated = createKeyring(NO_KEYS, [second, first])
  assert.deepEqual(rotated.previousIds, [one.currentId])
  assert.equal(await rotated.open(sealed, 'context'), 'secret')
  const own = createKeyring({ key: newKey(), previousKeys: [] }, [first])
  assert.equal(await own.open(sealed, 'context'), 'secret', 'as it was before the key was set')
  assert.notEqual(own.currentId, one.currentId)
})

test('neither the key nor its id reveals the key', () => {
  const bytes = randomBytes(32)
  const keyring = new Keyring(createSecretKey(bytes))
  const shown = `${inspect(keyring, { depth: 9, showHidden: true })}${JSON.stringify(keyring)}${keyring.currentId}`
  for (const encoding of ['hex', 'base64', 'base64url'] as const)
    assert.ok(!shown.includes(bytes.toString(encoding).slice(0, 11)), encoding)
})
