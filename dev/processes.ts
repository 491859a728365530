import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#src/testing/free-port.ts'
import { QUICK_START } from '#src/testing/quick-start.ts'

/** A running child process. */
export interface RunningProcess {
  child: ChildProcess
  /** Its output so far. */
  log(): string
}

const started: ChildProcess[] = []
/** On a machine that is several times slower than usual. */
const START_TIMEOUT_MS = 300_000

/** Runs a file in `src`, or at an absolute path, with only these settings in its environment. */
export function launch(
  file: string,
  cwd: string,
  settings: Record<string, string | undefined>,
  args: string[] = [],
): RunningProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const program = path.resolve(import.meta.dirname, '..', 'src', file)
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', QUICK_START, program, ...args],
    { cwd, env: { PATH, NODE_COMPILE_CACHE, ...DEFAULTS, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  started.push(child)
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      log += data
    })
  return { child, log: () => log }
}

/** Needs no embedding model, which would compete with the tests. */
const DEFAULTS = { EMBEDDINGS: 'builtin-words' }

/** Kills all launched processes, and waits for their ends. */
export async function killAll(): Promise<void> {
  const children = started.splice(0)
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(ended))
}

/** Waits for a process to exit, and for the rest of its output. Returns its exit code. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  for (const output of [child.stdout, child.stderr]) if (output) await finished(output)
  return child.exitCode
}

/** Waits until a service is ready. */
export async function ready(url: string, { child, log }: RunningProcess): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(50)
  }
  throw new Error(`The service did not start:\n${log()}`)
}

/** A TCP proxy that can be interrupted. */
export interface TcpProxy {
  /** The server's URL through the proxy. */
  url: string
  /** Closes all connections and rejects new ones. */
  cut(): void
  open(): Promise<void>
}

/** Starts a TCP proxy for the server at `url`. */
export async function openProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url)
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    const upstream = net.connect(Number(target.port), target.hostname)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        upstream.destroy()
      })
    }
    socket.pipe(upstream).pipe(socket)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  // No other program gets this port while the proxy is cut.
  const port = await freePort()
  await listen(port)
  const through = new URL(url)
  through.host = `127.0.0.1:${port}`
  return {
    url: through.href,
    cut: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    open: () => listen(port),
  }
}
