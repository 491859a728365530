import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailAddress } from '../src/format/web-address.ts'

test('an email address adds no subject, copies, or text to the message', () => {
  for (const [email, address] of [
    ['ada@example.com', 'mailto:ada@example.com'],
    ['ada?cc=eve@evil.example', 'mailto:ada%3Fcc%3Deve@evil.example'],
    ['ada&body=x#y@example.com', 'mailto:ada%26body%3Dx%23y@example.com'],
    ['ada%3Fcc@example.com', 'mailto:ada%253Fcc@example.com'],
    ['ada+deals@example.com', 'mailto:ada%2Bdeals@example.com'],
  ] as const)
    assert.equal(mailAddress(email), address)
})
