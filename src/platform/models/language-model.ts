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
import { faultOf } from '#src/platform/schema/validate.ts'
import { Backoff, CallFailed, type RetryOptions, withRetries } from './backoff.ts'
import { type EndpointName, isRefusal, lastOf } from './endpoint-faults.ts'

/** What a model's answers cost. Tokens that the endpoint does not count are taken for four characters each. */
export interface TokenUsage {
  calls: number
  input_tokens: number
  output_tokens: number
}

export interface Question<T extends TSchema> {
  /** Ours: what the model is to do. */
  instructions: string
  /** What it is to do it with. */
  material: string
  /** Of the answer: objects with all their fields required and no others, as OpenAI's strict mode has it. */
  schema: T
  /** Says what is wrong with an answer that fits the schema; undefined: nothing. */
  faultOf?: (answer: Static<T>) => string | undefined
}

/** Why this question has no answer, where another might have one. */
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
  /** As it is named in what it has made. */
  readonly name: string
  /**
   * A structured answer. One that is malformed is asked for once more, with the fault. While the endpoint is out of
   * reach or asked too often, all questions wait as long as it says, or longer and longer.
   * @throws Unanswered
   * @throws EndpointFailure when it has been of no use for a minute, or asks to be left alone for more than five seconds
   */
  ask<T extends TSchema>(
    question: Question<T>,
    asking: RetryOptions,
  ): Promise<{ answer: Static<T>; usage: TokenUsage }>
}

const ENDPOINT: EndpointName = { name: 'The language model', settings: 'LLM' }
const CALL_MS = 180_000
const PROBE_MS = 60_000
const PROBE = 'Answer with the word yes.'
const CHARACTERS_A_TOKEN = 4

/** A model behind an endpoint that speaks OpenAI's `POST /chat/completions`, with or without structured output. */
export function createLanguageModel({ baseUrl, apiKey, model }: ModelEndpoint): LanguageModel {
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
  const backoff = new Backoff()
  let takesSchemas = true

  const call = async <T extends TSchema>(request: Request<T>): Promise<Given<T>> => {
    if (!takesSchemas) return generate(chat, request, false)
    try {
      return await generate(chat, request, true)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const given = await generate(chat, request, false)
      if (isAboutSchemas(error)) takesSchemas = false
      return given
    }
  }
  const probe = async (stopped: AbortSignal): Promise<void> => {
    const abortSignal = AbortSignal.any([stopped, AbortSignal.timeout(PROBE_MS)])
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
          content: `That cannot be used: ${first.fault} Answer again, with nothing but the JSON.`,
        },
      )
      const second = await ask()
      if ('answer' in second) return { answer: second.answer, usage }
      throw new Unanswered('malformed', `The language model's answer cannot be used: ${second.fault}`, usage)
    },
  }
}

const isAboutSchemas = (error: unknown): boolean =>
  /response_format|schema|structured/i.test((lastOf(error) as Error).message)

type Given<T extends TSchema> = { usage: TokenUsage } & (
  | { answer: Static<T> }
  | { text: string; fault: string }
)

interface Request<T extends TSchema> {
  question: Question<T>
  messages: ModelMessage[]
  stopped: AbortSignal
}

/** @param asSchema whether the endpoint is told what the answer has to look like by the schema too, not in words only */
async function generate<T extends TSchema>(
  model: ReturnType<typeof wrapLanguageModel>,
  { question, messages, stopped }: Request<T>,
  asSchema: boolean,
): Promise<Given<T>> {
  const { schema } = question
  const instructions = `${question.instructions}\n\nAnswer with one JSON object and nothing else. It has to fit this JSON schema:\n${JSON.stringify(schema)}`
  const asked = instructions.length + messages.reduce((sum, { content }) => sum + content.length, 0)
  try {
    const { output, usage, text } = await generateText({
      model,
      instructions,
      messages,
      output: asSchema ? Output.object({ schema: jsonSchema(schema as object) }) : Output.json(),
      maxRetries: 0,
      abortSignal: AbortSignal.any([stopped, AbortSignal.timeout(CALL_MS)]),
    })
    const answer = output as Static<T>
    const fault = faultOf(schema)(answer) ?? question.faultOf?.(answer)
    const counted = countTokens(usage, asked, text.length)
    return fault ? { text, fault, usage: counted } : { answer, usage: counted }
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error
    const { text = '', usage, finishReason } = error
    return {
      text,
      fault: finishReason === 'length' ? 'It was cut off before its end.' : 'It is not JSON.',
      usage: countTokens(usage, asked, text.length),
    }
  }
}

/** Some put their answer into a fence, or words around it. */
const objectIn = (text: string): string =>
  text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1 || undefined)

/** Some endpoints do not count, and some say so by zeros. */
function countTokens(usage: LanguageModelUsage | undefined, asked: number, answered: number): TokenUsage {
  const whole = (count: number | undefined) => Math.max(0, Math.round(count ?? 0)) || 0
  const [input_tokens, output_tokens] = [whole(usage?.inputTokens), whole(usage?.outputTokens)]
  if (input_tokens + output_tokens > 0) return { calls: 1, input_tokens, output_tokens }
  return {
    calls: 1,
    input_tokens: Math.ceil(asked / CHARACTERS_A_TOKEN),
    output_tokens: Math.ceil(answered / CHARACTERS_A_TOKEN),
  }
}

function add(sum: TokenUsage, { calls, input_tokens, output_tokens }: TokenUsage): void {
  sum.calls += calls
  sum.input_tokens += input_tokens
  sum.output_tokens += output_tokens
}
