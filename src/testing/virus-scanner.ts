import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { VirusScanner } from '#src/platform/virus-scan/virus-scanner.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

const CLAMD = '/usr/sbin/clamd'

/** For tests that need a real scanner. */
export const withClamd = { skip: !existsSync(CLAMD) && 'needs clamav-daemon' }

/** The harmless file that virus scanners report. It is assembled here, so that they do not report this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('-')
/** clamd's name for it, which says that the signature is our own. */
export const EICAR_NAME = 'Test.Eicar.UNOFFICIAL'

/** A clamd of its own on this machine that knows one signature. */
export interface Clamd {
  /** For `CLAMAV_HOST`. */
  address: string
  port: number
  /** Kills the process. */
  stop(): Promise<void>
  /** @param settings further lines of its configuration */
  start(settings?: Record<string, string>): Promise<void>
  close(): Promise<void>
}

/** Starts clamd. */
export async function startClamd(settings: Record<string, string> = {}): Promise<Clamd> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'clamd-'))
  const database = path.join(folder, 'database')
  await mkdir(database)
  const signature = Buffer.from(EICAR).toString('hex')
  await writeFile(path.join(database, 'test.ndb'), `Test.Eicar:0:*:${signature}\n`)
  const port = await freePort()
  let process: ChildProcess | undefined
  const stop = async () => {
    if (!process || process.exitCode !== null || process.signalCode !== null) return
    process.kill('SIGKILL')
    await once(process, 'exit')
  }
  const start: Clamd['start'] = async (changed = settings) => {
    const lines = Object.entries({
      TCPSocket: String(port),
      TCPAddr: '127.0.0.1',
      DatabaseDirectory: database,
      TemporaryDirectory: folder,
      Foreground: 'yes',
      ...changed,
    }).map(([name, value]) => `${name} ${value}\n`)
    await writeFile(path.join(folder, 'clamd.conf'), lines.join(''))
    process = spawn(CLAMD, ['-c', path.join(folder, 'clamd.conf')], { stdio: 'ignore' })
    const scanner = new VirusScanner({ host: '127.0.0.1', port })
    await eventually(() => scanner.check())
  }
  await start()
  const close = async () => {
    await stop()
    await rm(folder, { recursive: true })
  }
  return { address: `127.0.0.1:${port}`, port, stop, start, close }
}
