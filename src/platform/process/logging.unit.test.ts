import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs this program with a logger in a child process. */
function logging(program: string) {
  const imports = `import { createLogger } from '${import.meta.resolve('./logging.ts')}'
    const log = await createLogger({ logLevel: 'info' })\n`
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval']
  const child = spawn(process.execPath, [...options, imports + program], { timeout: 120_000 })
  const text = { out: '', err: '' }
  child.stdout.on('data', (data) => {
    text.out += data
  })
  child.stderr.on('data', (data) => {
    text.err += data
  })
  const ended = once(child, 'close').then(([code]) => ({ code, ...text }))
  return { child, ended }
}

const numbers = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).number)

test('the log is complete and in order, however the process ends', async () => {
  const lines = `const write = (from, to) => { for (let number = from; number < to; number++) log.info({ number }, 'x'.repeat(200)) }
    write(0, 2000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    write(2000, 4000)\n`
  for (const [end, status] of [
    ['', 0],
    ['process.exit(3)', 3],
    ['setImmediate(() => { write(4000, 4003); process.exit(3) })', 3],
    ["throw new Error('of the test')", 1],
  ] as const) {
    const { code, out, err } = await logging(lines + end).ended
    assert.equal(code, status, err)
    const expected = Array.from({ length: end.includes('4003') ? 4003 : 4000 }, (_, number) => number)
    assert.deepEqual(numbers(out), expected, end)
  }
})

test('a process survives the loss of its log reader', async () => {
  const { child, ended } = logging(`
    const timer = setInterval(() => log.info('tick'), 1)
    process.stdin.on('data', () => { clearInterval(timer); log.info('the last'); process.stdin.destroy() })`)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  await sleep(100)
  assert.equal(child.exitCode, null)
  child.stdin.write('enough')
  const { code, err } = await ended
  assert.deepEqual({ code, err }, { code: 0, err: '' })
})

test('a stalled log reader does not block the process, and dropped lines are counted', async () => {
  const { child, ended } = logging(`
    let number = 0
    const timer = setInterval(() => {
      for (let line = 0; line < 1000; line++) log.info({ number: number++ }, 'x'.repeat(2000))
      if (number === 20_000) process.stderr.write('not blocked')
    }, 5)
    process.stdin.on('data', () => { clearInterval(timer); process.stderr.write(String(number)); process.stdin.destroy() })`)
  child.stdout.pause()
  await once(child.stderr, 'data')
  child.stdin.write('enough')
  const [made] = await once(child.stderr, 'data')
  child.stdout.resume()
  const { code, out } = await ended
  assert.equal(code, 0)
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [, dropped] = /^(\d+) log lines were dropped/.exec(lines.at(-1).msg) ?? []
  const found = numbers(out).slice(0, -1)
  assert.deepEqual(
    found,
    Array.from({ length: found.length }, (_, number) => number),
  )
  assert.equal(found.length + Number(dropped), Number(made))
})
