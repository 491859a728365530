import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './addresses.ts'

test('public addresses are public', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
  ])
    assert.ok(isPublicAddress(address), address)
})

test('loopback, private and reserved addresses are not public', () => {
  for (const address of [
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254'],
    ...['172.16.0.1', '192.0.0.192', '192.0.2.1', '192.168.1.1', '198.18.0.1', '203.0.113.1', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255', '168.63.129.16', '100.100.100.200'],
    ...['::', '::1', 'fe80::1', 'fe80::1%1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '100::1'],
    ...['2001:db8::1', '3fff::1', '5f00::1', '4000::1', '2001:2::1'],
  ])
    assert.ok(!isPublicAddress(address), address)
})

test('an address that maps to a private one is not public', () => {
  for (const address of [
    ...['::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:127.0.0.1', '::ffff:168.63.129.16'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1.1.1.1', '2002:7f00:1::', '2001::7f00:1'],
  ])
    assert.ok(!isPublicAddress(address), address)
})

test('text that is not an address is not public', () => {
  for (const text of ['', 'example.com', '1.1.1', '0x1010101', '01.1.1.1', '[2606:4700::1111]', '1.1.1.1:80'])
    assert.ok(!isPublicAddress(text), text)
})
