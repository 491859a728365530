import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const SCRIPT = `
  import { once } from './shutdown.ts'
  import { createLogger } from './logging.ts'
  setInterval(() => {}, 1000)
  once(['SIGTERM'], await createLogger({ logLevel: 'info' }), () => new Promise(() => {}), 100)
  process.kill(process.pid, 'SIGTERM')`

test('work that does not finish after a signal is logged, and the process ends', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: import.meta.dirname,
  })
  const [log, [, signal]] = await Promise.all([text(child.stdout), event(child, 'exit')])
  assert.match(log, /SIGTERM: not everything finished within 0.1 seconds; ending the process/)
  assert.equal(signal, 'SIGKILL')
})
