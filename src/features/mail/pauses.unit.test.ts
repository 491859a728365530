import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MailServerDown } from '#src/platform/mail/mail-errors.ts'
import { pausing } from './work.ts'

test('an outage is tried again with growing pauses of up to 10 minutes, and logged once', async () => {
  let clock = 0
  let isDown = true
  const attempts: number[] = []
  const logged: string[] = []
  const log = { warn: (line: string) => logged.push(line), info: (line: string) => logged.push(line) }
  const run = pausing(
    async () => {
      attempts.push(clock / 1000)
      if (isDown) throw new MailServerDown('The mail server mail:25 refuses connections.', false)
    },
    log as unknown as Parameters<typeof pausing>[1],
    () => clock,
  )
  const runUntil = async (seconds: number) => {
    for (; clock <= seconds * 1000; clock += 1000) await run()
  }
  await runUntil(2300)
  assert.deepEqual(attempts, [0, 4, 12, 28, 60, 124, 252, 508, 1020, 1620, 2220])
  isDown = false
  await runUntil(2830)
  assert.deepEqual(
    attempts.slice(-11),
    Array.from({ length: 11 }, (_value, index) => 2820 + index),
  )
  assert.deepEqual(logged, [
    'The mail server mail:25 refuses connections. Mails wait until it works again.',
    'mail is sent again',
  ])
})

test('other errors are thrown', async () => {
  const log = { warn: assert.fail, info: assert.fail }
  const failing = pausing(async () => {
    throw new Error('The database is away.')
  }, log)
  await assert.rejects(failing(), /database is away/)
  await assert.rejects(failing(), /database is away/)
})
