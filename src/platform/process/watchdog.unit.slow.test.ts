import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'

const WATCHDOG = new URL('./watchdog.ts', import.meta.url).href

interface Ending {
  signal: string | null
  output: string
}

/** Runs a program that has started a watchdog. */
function run(seconds: number, program: string): Promise<Ending> {
  const code = `const { startWatchdog } = await import('${WATCHDOG}'); const stop = startWatchdog(${seconds}, console); ${program}`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code]
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ signal: error?.signal ?? null, output: stdout + stderr }),
    )
  })
}

/** Gives the thread time to start, then blocks the event loop. */
const block = (milliseconds: number) =>
  `setTimeout(() => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds}); console.log('back') }, 1500)`

describe('the watchdog', () => {
  test('a process whose event loop stays silent is logged and ended', async () => {
    const { signal, output } = await run(2, block(60_000))
    assert.equal(signal, 'SIGKILL')
    const { level, msg } = JSON.parse(output)
    assert.equal(level, 60)
    assert.match(msg, /^The event loop has not responded for 2 seconds: the process ends\./)
  })

  test('a process that is busy for less than that, or idle, continues and ends as usual', async () => {
    const { signal, output } = await run(10, block(3000))
    assert.equal(signal, null)
    assert.equal(output, 'back\n')
    assert.deepEqual(await run(4, `setTimeout(() => console.log('idle'), 8000)`), {
      signal: null,
      output: 'idle\n',
    })
  })

  test('0 turns the watchdog off', async () => {
    assert.deepEqual(await run(0, block(3000)), { signal: null, output: 'back\n' })
  })

  test('a stopped process that continues is not ended', async () => {
    const program = `setTimeout(() => console.log('back'), 4000);
      const { spawn } = await import('node:child_process');
      setTimeout(() => spawn('sh', ['-c', 'kill -STOP ' + process.pid + '; sleep 4; kill -CONT ' + process.pid], { stdio: 'ignore' }), 1500)`
    assert.deepEqual(await run(2, program), { signal: null, output: 'back\n' })
  })
})
