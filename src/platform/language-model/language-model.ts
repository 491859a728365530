import type { Logger } from 'pino'
import type { Static, TSchema } from 'typebox'
import type { ModelEndpoint } from '#src/platform/config/model-endpoint.ts'
import { type EndpointName, EndpointRejection } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { findObjects } from '#src/platform/model-endpoint/json-in-answer.ts'
import { compileValidator } from '#src/platform/schema/validate.ts'
import { type ChatAnswer, type ChatMessage, createChat } from './chat-endpoint.ts'
import { RequestShapes } from './request-shapes.ts'
import { CallFailed, createRetries, type RetryOptions } from './retries.ts'
import { addUsage, noUsage, type TokenUsage } from './token-usage.ts'

export interface Question<T extends TSchema> {
  /** The trusted instructions. */
  instructions: string
  /** The untrusted input to work on. */
  material: string
  /**
   * The schema of the answer. As OpenAI's strict mode requires, objects have all their fields required and no others.
   */
  schema: T
  /** Further checks of an answer that matches the schema. Returns the problem, or `undefined`. */
  validate?: (answer: Static<T>) => string | undefined
}

/** This question has no answer; others may have one. */
export class Unanswered extends Error {
  readonly kind: 'malformed' | 'refused' | 'model_error'
  readonly usage: TokenUsage

  constructor(kind: Unanswered['kind'], message: string, usage: TokenUsage) {
    super(message)
    this.kind = kind
    this.usage = usage
  }
}

export interface Answered<T extends TSchema> {
  answer: Static<T>
  usage: TokenUsage
  /** Why the answer may be worse than it looks, as a sentence. */
  warning?: string
}

export interface LanguageModel {
  /** The name recorded with the model's results. */
  readonly name: string
  /**
   * Asks for a structured answer. After a malformed answer, asks once more and quotes the problem. While the endpoint
   * is unreachable or rate limited, all questions back off together.
   * @throws Unanswered
   * @throws EndpointRejection if the endpoint rejects every question
   * @throws EndpointFailure if the endpoint has failed for a minute or asks for a pause of more than five seconds
   */
  ask<T extends TSchema>(question: Question<T>, asking: RetryOptions): Promise<Answered<T>>
}

const ENDPOINT: EndpointName = { name: 'The language model', settings: 'LLM' }
const CALL_TIMEOUT_MS = 180_000
const PROBE_TIMEOUT_MS = 60_000
const PROBE = {
  instructions: '',
  messages: [{ role: 'user' as const, content: 'Answer with the word yes.' }],
  schema: undefined,
}
/** When this many texts were rejected and none was ever answered, the next ones would be rejected too. */
const MAX_FIRST_REJECTIONS = 5

/** Asks a model at an endpoint compatible with OpenAI's API for structured output. */
export function createLanguageModel(
  endpoint: ModelEndpoint,
  { initialBackoffMs, log }: { initialBackoffMs?: number; log?: Logger } = {},
): LanguageModel {
  const chat = createChat(endpoint)
  const shapes = new RequestShapes(log)
  let hasAnswered = false
  let rejections = 0
  let hasWarned = false

  const probe = (stopped: AbortSignal): Promise<unknown> => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(PROBE_TIMEOUT_MS)])
    return chat(PROBE, { shape: { format: 'text', hasSystemRole: false }, signal, onUsage: () => {} })
  }
  const withRetries = createRetries({ name: ENDPOINT, probe, initialBackoffMs })
  const warn = (warning: string): void => {
    if (!hasWarned) log?.warn(warning)
    hasWarned = true
  }
  const failed = ({ kind, message }: CallFailed, usage: TokenUsage): Error => {
    if (kind !== 'refused' || hasAnswered) return new Unanswered(kind, message, usage)
    rejections += 1
    if (rejections < MAX_FIRST_REJECTIONS) return new Unanswered(kind, message, usage)
    // A retry tries as many again.
    rejections = 0
    return new EndpointRejection(
      `${message} It has rejected the first ${MAX_FIRST_REJECTIONS} texts and answered none.`,
    )
  }

  return {
    name: endpoint.model,
    ask: async <T extends TSchema>(question: Question<T>, asking: RetryOptions) => {
      const usage = noUsage()
      let warning: string | undefined
      const onUsage = (counted: TokenUsage, said: string | undefined) => {
        addUsage(usage, counted)
        if (said) warn(said)
        warning ??= said
      }
      const schema = JSON.stringify(question.schema)
      const instructions = `${question.instructions}\n\nAnswer with one JSON object and nothing else. It must match this JSON schema:\n${schema}`
      const ask = async (messages: ChatMessage[]) => {
        const answer = await withRetries(asking, () =>
          shapes.send(schema, (shape) => {
            const signal = AbortSignal.any([asking.stopped, AbortSignal.timeout(CALL_TIMEOUT_MS)])
            return chat({ instructions, messages, schema: question.schema }, { shape, signal, onUsage })
          }),
        )
        hasAnswered = true
        return readAnswer(question, answer)
      }
      const askTwice = async (): Promise<Reading<T>> => {
        const messages: ChatMessage[] = [{ role: 'user', content: question.material }]
        const first = await ask(messages)
        if (!('problem' in first)) return first
        const problem = `That answer is not usable: ${first.problem} Answer again with only the JSON.`
        return ask([
          ...messages,
          { role: 'assistant', content: first.text || '(nothing)' },
          { role: 'user', content: problem },
        ])
      }
      try {
        const reading = await askTwice()
        if ('answer' in reading) return { answer: reading.answer, usage, ...(warning && { warning }) }
        const reason =
          'problem' in reading ? `The language model's answer is not usable: ${reading.problem}` : reading.end
        throw new Unanswered('malformed', warning ? `${reason} ${warning}` : reason, usage)
      } catch (error) {
        const failure = error instanceof CallFailed ? failed(error, usage) : error
        if (!(failure instanceof Unanswered) && usage.calls > 0) asking.onSpent?.(usage)
        throw failure
      }
    },
  }
}

type Reading<T extends TSchema> =
  | { answer: Static<T> }
  /** The model may correct its answer. */
  | { problem: string; text: string }
  /** Asking again would end the same way and cost as much again. */
  | { end: string }

/** Reads the answer after the model's thoughts, or within them if the endpoint takes the answer for a thought. */
function readAnswer<T extends TSchema>(question: Question<T>, answer: ChatAnswer): Reading<T> {
  const { finishReason, thoughts } = answer
  const isBlank = answer.text.trim() === ''
  const text = isBlank && finishReason !== 'length' ? thoughts : answer.text
  const { objects, endsInThought } = findObjects(text)
  const validate = compileValidator(question.schema)
  const problems = objects.map((object) => validate(object) ?? question.validate?.(object as Static<T>))
  const valid = problems.lastIndexOf(undefined)
  if (valid !== -1) return { answer: objects[valid] as Static<T> }
  if (finishReason === 'content-filter')
    return { end: "The language model's answer was blocked by the endpoint's content filter." }
  if (endsInThought || (isBlank && thoughts.trim() !== '')) return { end: STILL_THINKING }
  if (finishReason === 'length') return { problem: 'It was cut off.', text }
  return { problem: problems.at(-1) ?? 'It is not JSON.', text }
}

const STILL_THINKING =
  "The language model's answer ended while it was still thinking; raise the endpoint's limit of output tokens, or " +
  'turn the thinking off.'
