import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of answers that may wait in this process until clients take them. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024
/** Beyond that, a client is left alone that has taken something within this time. */
const MIN_STALL_MS = 2000

export interface UnreadLimits {
  /** How long a client may take nothing of an answer that waits for it. */
  stallMs: number
  maxWaitingBytes?: number
}

/** The answers of one connection, several when requests are pipelined. */
interface Answers {
  responses: Set<ServerResponse>
  bytesTaken: number
  /** Checks since the client last took a byte. Like those of bodies, counted and not timed. */
  stalledChecks: number
}

/** How much of what was written the operating system still has to take. Node's own socket timeout reads it as well. */
interface Handle {
  bytesWritten: number
  writeQueueSize: number
  /** The connection beneath TLS. */
  _parent?: Handle
}

/**
 * The answers on their way to clients. Ends the connections of those that do not read theirs, which would stay in
 * memory: after a while, and sooner when too many bytes wait. A download may be as slow as it likes while it proceeds.
 */
export class UnreadAnswers {
  readonly #answers = new Map<Socket, Answers>()
  readonly #stallMs: number
  readonly #maxWaitingBytes: number

  constructor({ stallMs, maxWaitingBytes = MAX_WAITING_BYTES }: UnreadLimits) {
    this.#stallMs = stallMs
    this.#maxWaitingBytes = maxWaitingBytes
  }

  /** Takes note of a response that will be sent. */
  watch(socket: Socket, response: ServerResponse): void {
    let answers = this.#answers.get(socket)
    if (!answers) {
      answers = { responses: new Set(), bytesTaken: 0, stalledChecks: 0 }
      this.#answers.set(socket, answers)
    }
    const { responses } = answers
    responses.add(response)
    response.once('close', () => {
      responses.delete(response)
      if (responses.size === 0) this.#answers.delete(socket)
    })
  }

  /** Ends the connections that are due. Called every `intervalMs`. */
  check(intervalMs: number): void {
    let waiting = 0
    const stalled: { socket: Socket; bytes: number; stalledMs: number }[] = []
    for (const [socket, answers] of this.#answers) {
      const bytes = waitingBytes(answers)
      const bytesTaken = countTaken(socket)
      const isStalled = bytes > 0 && bytesTaken === answers.bytesTaken
      answers.bytesTaken = bytesTaken
      answers.stalledChecks = isStalled ? answers.stalledChecks + 1 : 0
      const stalledMs = answers.stalledChecks * intervalMs
      // An answer behind one that is not ready yet waits for us.
      if (stalledMs >= this.#stallMs && socket.writableLength > 0) {
        socket.destroy()
        continue
      }
      waiting += bytes
      if (stalledMs >= MIN_STALL_MS) stalled.push({ socket, bytes, stalledMs })
    }
    if (waiting <= this.#maxWaitingBytes) return
    stalled.sort((a, b) => b.stalledMs - a.stalledMs || b.bytes - a.bytes)
    for (const { socket, bytes } of stalled) {
      if (waiting <= this.#maxWaitingBytes) return
      waiting -= bytes
      socket.destroy()
    }
  }
}

function waitingBytes({ responses }: Answers): number {
  let bytes = 0
  // The length of the response that is being sent includes what its socket holds.
  for (const response of responses) bytes += response.writableLength
  return bytes
}

/** A large answer is one write, during which `bytesWritten` and `writableLength` of its socket stay the same. */
function countTaken(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  if (!handle) return 0
  const { bytesWritten, writeQueueSize } = handle._parent ?? handle
  return bytesWritten - writeQueueSize
}
