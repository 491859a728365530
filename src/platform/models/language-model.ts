import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  extractJsonMiddleware,
  extractReasoningMiddleware,
  generateText,
  jsonSchema,
  type LanguageModelUsage,
  type ModelMessage,
  NoObjectGeneratedError,
  Output,
  wrapLanguageModel,
} from 'ai'
import type { Static, TSchema } from 'typebox'
import type { ModelEndpoint } from '#src/platform/config/model-endpoint.ts'
import { compileValidator } from '#src/platform/schema/validate.ts'
import { Backoff, CallFailed, INITIAL_BACKOFF_MS, type RetryOptions, withRetries } from './backoff.ts'
import { type EndpointName, isRefusal, lastOf } from './endpoint-faults.ts'

/** The cost of a model's answers. If the endpoint does not count tokens, four characters count as one. */
export interface TokenUsage {
  calls: number
  input_tokens: number
  output_tokens: number
}

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

export interface LanguageModel {
  /** The name recorded with the model's results. */
  readonly name: string
  /**
   * Asks for a structured answer. After a malformed answer, asks once more and quotes the problem. While the endpoint
   * is unreachable or rate limited, all questions back off together.
   * @throws Unanswered
   * @throws EndpointFailure if the endpoint has failed for a minute or asks for a pause of more than five seconds
   */
  ask<T extends TSchema>(
    question: Question<T>,
    asking: RetryOptions,
  ): Promise<{ answer: Static<T>; usage: TokenUsage }>
}

const ENDPOINT: EndpointName = { name: 'The language model', settings: 'LLM' }
const CALL_TIMEOUT_MS = 180_000
const PROBE_TIMEOUT_MS = 60_000
const PROBE = 'Answer with the word yes.'
const CHARACTERS_PER_TOKEN = 4

/** A model at an endpoint compatible with OpenAI's `POST /chat/completions`, with or without structured output. */
export function createLanguageModel(
  { baseUrl, apiKey, model }: ModelEndpoint,
  initialBackoffMs = INITIAL_BACKOFF_MS,
): LanguageModel {
  const provider = createOpenAICompatible({
    name: 'llm',
    baseURL: baseUrl,
    supportsStructuredOutputs: true,
    ...(apiKey && { apiKey }),
  })
  const chat = wrapLanguageModel({
    model: provider.chatModel(model),
    middleware: [
      extractJsonMiddleware({ transform: objectIn }),
      extractReasoningMiddleware({ tagName: 'think' }),
    ],
  })
  const backoff = new Backoff(initialBackoffMs)
  let supportsSchemas = true

  const call = async <T extends TSchema>(request: Request<T>): Promise<Given<T>> => {
    if (!supportsSchemas) return generate(chat, request, false)
    try {
      return await generate(chat, request, true)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const given = await generate(chat, request, false)
      if (isAboutSchemas(error)) supportsSchemas = false
      return given
    }
  }
  const probe = async (stopped: AbortSignal): Promise<void> => {
    const abortSignal = AbortSignal.any([stopped, AbortSignal.timeout(PROBE_TIMEOUT_MS)])
    await generateText({ model: chat, prompt: PROBE, maxRetries: 0, abortSignal })
    backoff.answered()
  }

  return {
    name: model,
    ask: async (question, asking) => {
      const messages: ModelMessage[] = [{ role: 'user', content: question.material }]
      const usage: TokenUsage = { calls: 0, input_tokens: 0, output_tokens: 0 }
      const ask = async () => {
        const given = await withRetries({ name: ENDPOINT, backoff, probe }, asking, () =>
          call({ question, messages, stopped: asking.stopped }),
        ).catch((error) => {
          throw error instanceof CallFailed ? new Unanswered(error.kind, error.message, usage) : error
        })
        add(usage, given.usage)
        return given
      }
      const first = await ask()
      if ('answer' in first) return { answer: first.answer, usage }
      messages.push(
        { role: 'assistant', content: first.text || '(nothing)' },
        {
          role: 'user',
          content: `That answer is not usable: ${first.error} Answer again with only the JSON.`,
        },
      )
      const second = await ask()
      if ('answer' in second) return { answer: second.answer, usage }
      throw new Unanswered('malformed', `The language model's answer is not usable: ${second.error}`, usage)
    },
  }
}

const isAboutSchemas = (error: unknown): boolean =>
  /response_format|schema|structured/i.test((lastOf(error) as Error).message)

type Given<T extends TSchema> = { usage: TokenUsage } & (
  | { answer: Static<T> }
  | { text: string; error: string }
)

interface Request<T extends TSchema> {
  question: Question<T>
  messages: ModelMessage[]
  stopped: AbortSignal
}

/** @param asSchema whether to pass the schema to the endpoint in addition to the instructions */
async function generate<T extends TSchema>(
  model: ReturnType<typeof wrapLanguageModel>,
  { question, messages, stopped }: Request<T>,
  asSchema: boolean,
): Promise<Given<T>> {
  const { schema } = question
  const instructions = `${question.instructions}\n\nAnswer with one JSON object and nothing else. It must match this JSON schema:\n${JSON.stringify(schema)}`
  const asked = instructions.length + messages.reduce((sum, { content }) => sum + content.length, 0)
  try {
    const { output, usage, text } = await generateText({
      model,
      instructions,
      messages,
      output: asSchema ? Output.object({ schema: jsonSchema(schema as object) }) : Output.json(),
      maxRetries: 0,
      abortSignal: AbortSignal.any([stopped, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    })
    const answer = output as Static<T>
    const problem = compileValidator(schema)(answer) ?? question.validate?.(answer)
    const counted = countTokens(usage, asked, text.length)
    return problem ? { text, error: problem, usage: counted } : { answer, usage: counted }
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error
    const { text = '', usage, finishReason } = error
    return {
      text,
      error: finishReason === 'length' ? 'It was cut off.' : 'It is not JSON.',
      usage: countTokens(usage, asked, text.length),
    }
  }
}

/** Some models wrap their answer in a code fence or in prose. */
const objectIn = (text: string): string =>
  text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1 || undefined)

/** Some endpoints do not count tokens, and some report zeros. */
function countTokens(usage: LanguageModelUsage | undefined, asked: number, answered: number): TokenUsage {
  const whole = (count: number | undefined) => Math.max(0, Math.round(count ?? 0)) || 0
  const [input_tokens, output_tokens] = [whole(usage?.inputTokens), whole(usage?.outputTokens)]
  if (input_tokens + output_tokens > 0) return { calls: 1, input_tokens, output_tokens }
  return {
    calls: 1,
    input_tokens: Math.ceil(asked / CHARACTERS_PER_TOKEN),
    output_tokens: Math.ceil(answered / CHARACTERS_PER_TOKEN),
  }
}

function add(sum: TokenUsage, { calls, input_tokens, output_tokens }: TokenUsage): void {
  sum.calls += calls
  sum.input_tokens += input_tokens
  sum.output_tokens += output_tokens
}
