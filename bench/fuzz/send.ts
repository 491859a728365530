import { type Dispatcher, interceptors, Pool } from 'undici'
import { differenceFrom, differenceFromError, type Operation, operationFor } from './document.ts'
import type { FuzzRequest } from './requests.ts'

const TIMEOUT_MS = 20_000
export const MAX_ANSWER_MS = 5000
/** A larger body may be refused before it has been read, which can end the connection without an answer. */
const MAX_READ_BODY_BYTES = 1024 * 1024

/** Statuses of a request that no operation sees: a bad path or method, bad or slow headers. */
const PROTOCOL_STATUSES = [400, 404, 405, 408, 414, 417, 431]

interface Answer {
  status: number
  type: string
  text: string
}

export class FuzzClient {
  readonly #pool: Dispatcher
  readonly #operations: Operation[]
  /** The number of answers with each status. */
  readonly statuses: Record<number, number> = {}

  constructor(url: string, operations: Operation[]) {
    const pool = new Pool(url, { connections: 8, bodyTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS })
    this.#pool = pool.compose(interceptors.decompress())
    this.#operations = operations
  }

  /** Sends a request and returns what is wrong with the answer, or undefined. */
  async send(request: FuzzRequest): Promise<string | undefined> {
    const start = performance.now()
    let answer: Answer
    try {
      answer = await this.#answerTo(request)
    } catch (error) {
      const isLarge = (request.body?.length ?? 0) > MAX_READ_BODY_BYTES
      return isLarge ? undefined : `no answer: ${(error as Error).message}`
    }
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1
    const time = performance.now() - start
    if (time > MAX_ANSWER_MS) return `answered after ${Math.round(time)} ms`
    return this.#faultOf(request, answer)
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  async #answerTo({ method, path, headers, body }: FuzzRequest): Promise<Answer> {
    const answer = await this.#pool.request({
      method: method as Dispatcher.HttpMethod,
      path,
      headers,
      body: body ?? null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] as string
    // An event stream ends with its action.
    if (type === 'text/event-stream') {
      answer.body.on('error', () => {}).destroy()
      return { status: answer.statusCode, type, text: '' }
    }
    return { status: answer.statusCode, type, text: await answer.body.text() }
  }

  #faultOf({ method, path }: FuzzRequest, { status, type, text }: Answer): string | undefined {
    const shown = `${status} ${type} ${text.slice(0, 300)}`
    if (status >= 500) return shown
    if (method === 'HEAD' || method === 'OPTIONS') return undefined
    const operation = operationFor(this.#operations, method, path.split('?', 1)[0] as string)
    const response = operation?.responses[status]
    if (!response) {
      const isExpected = !operation || PROTOCOL_STATUSES.includes(status)
      const isRouted = operation && status === 404 && !text.includes('No route matches')
      if (!isExpected || isRouted) return `the document does not list the status: ${shown}`
      const error = type === 'application/json' ? differenceFromError(JSON.parse(text)) : undefined
      return error && `${error}: ${shown}`
    }
    if (!response.content) return text === '' ? undefined : `no body is documented: ${shown}`
    const media = response.content[type]
    if (!media) return `the document does not list the media type: ${shown}`
    if (type !== 'application/json' || status === 206) return undefined
    const fault = differenceFrom(media.schema, JSON.parse(text))
    return fault && `${fault}: ${shown}`
  }
}
