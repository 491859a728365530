import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program of ours that runs in a process of its own. */
export interface RunningProcess {
  child: ChildProcess
  /** What it has printed so far. */
  log(): string
}

const started: ChildProcess[] = []

/**
 * Runs a file of the project's `src` as a person would, with nothing in its environment but these settings
 * and what makes it start faster.
 */
export function launch(
  file: string,
  cwd: string,
  settings: Record<string, string | undefined>,
  args: string[] = [],
): RunningProcess {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, '..', 'src', file), ...args],
    { cwd, env: { PATH, NODE_COMPILE_CACHE, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  started.push(child)
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      log += data
    })
  return { child, log: () => log }
}

/** Kills what has been launched and still runs. */
export function killAll(): void {
  for (const child of started) child.kill('SIGKILL')
}

/** Waits until a process has ended, and gives its exit code. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Waits until a service answers that it is ready. */
export async function ready(url: string, { child, log }: RunningProcess): Promise<void> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(50)
  }
  throw new Error(`The service did not start:\n${log()}`)
}

/** A way to a server that can be cut and opened again. */
export interface Passage {
  /** The server's address, by this way. */
  url: string
  /** Breaks all connections, and takes no new ones. */
  cut(): void
  open(): Promise<void>
}

/** Opens a way to the server at `url`. */
export async function openPassage(url: string): Promise<Passage> {
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
  await listen(0)
  const { port } = server.address() as net.AddressInfo
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
