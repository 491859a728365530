import type { Logger } from 'pino'
import { isRefusal, serverWords, statusOf } from '#src/platform/model-endpoint/endpoint-errors.ts'

/** How a question is put: what an endpoint refuses is left out, and stands in the text instead. */
export interface Shape {
  format: 'json_schema' | 'json_object' | 'text'
  /** Whether the instructions are a message of their own; otherwise they begin the user's message. */
  hasSystemRole: boolean
}

const FORMATS = ['json_schema', 'json_object', 'text'] as const
const SHAPES: readonly Shape[] = [true, false].flatMap((hasSystemRole) =>
  FORMATS.map((format) => ({ format, hasSystemRole })),
)

/** After this many refusals in a row, a shape that worked before is doubted: the model may have been replaced. */
const MAX_REFUSALS = 3

/** What an endpoint accepts, which the first questions find out. */
export class RequestShapes {
  readonly #log: Logger | undefined
  /** The schemas of questions that the endpoint has answered. */
  readonly #answered = new Set<string>()
  #shape: Shape = SHAPES[0] as Shape
  /** Refusals, and failures with status 500, since the last answer. */
  #refusals = 0
  /** Set while a question finds out what the endpoint accepts. */
  #learning: Promise<unknown> | undefined

  constructor(log: Logger | undefined) {
    this.#log = log
  }

  /**
   * Asks in a shape that the endpoint accepts. If it refuses a question in the best one, the others are tried, and the one
   * that it accepts is remembered.
   * @param schema identifies the schema of the answer: an endpoint may refuse one and accept another
   * @throws the first refusal if the endpoint accepts none, and every other error of `ask`
   */
  async send<T>(schema: string, ask: (shape: Shape) => Promise<T>): Promise<T> {
    const shape = this.#shape
    try {
      return this.#remember(schema, await ask(shape))
    } catch (error) {
      if (!this.#isAboutShape(error, schema)) throw error
      // Another question has learned a shape since this one was sent.
      if (this.#shape !== shape) return this.send(schema, ask)
      if (this.#answered.has(schema)) {
        if (this.#refusals >= MAX_REFUSALS) this.#answered.delete(schema)
        throw error
      }
      if (this.#learning) await this.#learning.catch(() => {})
      if (this.#shape !== shape) return this.send(schema, ask)
      const learning = this.#learn(schema, error, ask)
      this.#learning = learning
      return await learning.finally(() => {
        this.#learning = undefined
      })
    }
  }

  async #learn<T>(schema: string, refusal: unknown, ask: (shape: Shape) => Promise<T>): Promise<T> {
    const words = serverWords(refusal)
    for (const shape of otherShapes(this.#shape, words)) {
      try {
        const answer = await ask(shape)
        this.#log?.warn(
          `the language model refuses ${difference(this.#shape, shape)} (${statusOf(refusal)}: ${words}); continuing without it`,
        )
        this.#shape = shape
        return this.#remember(schema, answer)
      } catch (error) {
        if (!this.#isAboutShape(error, schema)) throw error
      }
    }
    throw refusal
  }

  #remember<T>(schema: string, answer: T): T {
    this.#answered.add(schema)
    this.#refusals = 0
    return answer
  }

  /** Whether the endpoint might accept the question in another shape. */
  #isAboutShape(error: unknown, schema: string): boolean {
    const status = statusOf(error)
    const isFailure = status === 500 || status === 501
    if (isRefusal(error) || isFailure) this.#refusals += 1
    if (isRefusal(error)) return true
    if (status === 404) return /parameters/i.test(serverWords(error))
    const isRepeated = this.#refusals > 1 && !this.#answered.has(schema)
    return isFailure && (SHAPE_WORDS.test(serverWords(error)) || isRepeated)
  }
}

/** Words of servers that fail instead of refusing. */
const SHAPE_WORDS = /grammar|schema|response.?format|json|guided|structured|system|\brole|parameter/i

/** The shapes to try after a refused one: those that the server's words suggest first. */
function otherShapes(refused: Shape, words: string): Shape[] {
  const suggestsRole = /system|developer|\broles?\b/i.test(words) && !/json|response.?format/i.test(words)
  const others = SHAPES.filter(
    ({ format, hasSystemRole }) =>
      FORMATS.indexOf(format) >= FORMATS.indexOf(refused.format) &&
      (refused.hasSystemRole || !hasSystemRole) &&
      !(format === refused.format && hasSystemRole === refused.hasSystemRole),
  )
  return suggestsRole ? others.toSorted((a, b) => Number(a.hasSystemRole) - Number(b.hasSystemRole)) : others
}

const difference = (refused: Shape, accepted: Shape): string =>
  [
    ...(refused.format === accepted.format ? [] : [`response_format ${refused.format}`]),
    ...(refused.hasSystemRole === accepted.hasSystemRole ? [] : ['the system role']),
  ].join(' and ')
