import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { ModelEndpoint } from '#src/platform/config/model-endpoint.ts'
import { parseJson } from '#src/platform/model-endpoint/json-in-answer.ts'
import { limitedFetch, responseWith } from '#src/platform/model-endpoint/limited-fetch.ts'
import { statusOfError } from '#src/platform/model-endpoint/server-message.ts'
import type { Shape } from './request-shapes.ts'
import { countTokens, isPromptCut, type ReportedUsage, type TokenUsage } from './token-usage.ts'

/** An answer with its thoughts is far smaller. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface ChatQuestion {
  instructions: string
  messages: ChatMessage[]
  /** The JSON schema of the answer; undefined for any text. */
  schema: object | undefined
}

export interface ChatAnswer {
  text: string
  /** What the endpoint returned as the model's thoughts, apart from the text. */
  thoughts: string
  finishReason: 'stop' | 'length' | 'content-filter' | 'other'
}

export interface ChatOptions {
  shape: Shape
  signal: AbortSignal
  /** Called with the cost of each response with status 200, whether or not it holds an answer. */
  onUsage: (usage: TokenUsage, warning: string | undefined) => void
}

/** Sends one question to an endpoint compatible with OpenAI's `POST /chat/completions`. */
export type Chat = (question: ChatQuestion, options: ChatOptions) => Promise<ChatAnswer>

/**
 * Opens a chat endpoint. An error within a response with status 200 is thrown like one with the status of its code.
 */
export function createChat({ baseUrl, apiKey, model }: ModelEndpoint): Chat {
  return async ({ instructions, messages, schema }, { shape, signal, onUsage }) => {
    const [first, ...others] = messages
    const requested = instructions.length + messages.reduce((sum, { content }) => sum + content.length, 0)
    const count: CountUsage = (usage, answered) =>
      onUsage(countTokens(usage, { requested, answered }), cutWarning(usage, requested))
    const provider = createOpenAICompatible({
      name: 'llm',
      baseURL: baseUrl,
      supportsStructuredOutputs: true,
      fetch: limitedFetch(MAX_ANSWER_BYTES, (response, body) => normalize(response, body, count)),
      ...(apiKey && { apiKey }),
    })
    const sent = shape.hasSystemRole
      ? messages
      : [{ role: 'user' as const, content: `${instructions}\n\n${first?.content ?? ''}`.trim() }, ...others]
    const { content, finishReason } = await provider.chatModel(model).doGenerate({
      prompt: [
        ...(shape.hasSystemRole && instructions ? [{ role: 'system' as const, content: instructions }] : []),
        ...sent.map(({ role, content: text }) => ({ role, content: [{ type: 'text' as const, text }] })),
      ],
      ...(schema && shape.format !== 'text' && { responseFormat: formatOf(shape, schema) }),
      abortSignal: signal,
    })
    const textOf = (type: 'text' | 'reasoning') =>
      content.flatMap((part) => (part.type === type ? [part.text] : [])).join('')
    const { unified } = finishReason
    return {
      text: textOf('text'),
      thoughts: textOf('reasoning'),
      finishReason:
        unified === 'stop' || unified === 'length' || unified === 'content-filter' ? unified : 'other',
    }
  }
}

const formatOf = ({ format }: Shape, schema: object) =>
  format === 'json_schema' ? { type: 'json' as const, schema } : { type: 'json' as const }

function cutWarning(usage: ReportedUsage | null | undefined, requested: number): string | undefined {
  if (!isPromptCut(usage, requested)) return undefined
  const tokens = Number(usage?.prompt_tokens).toLocaleString('en-US')
  return (
    `The language model read only ${tokens} tokens of a prompt of ${requested.toLocaleString('en-US')} characters: the ` +
    "endpoint cut the rest. Raise the endpoint's context length, or choose a model with a longer context."
  )
}

type CountUsage = (usage: ReportedUsage | null | undefined, answered: number) => void

interface ResponseBody {
  choices?: { message?: Record<string, unknown> | null; finish_reason?: unknown; error?: unknown }[]
  usage?: ReportedUsage | null
  error?: unknown
}

/** Counts the tokens of a response, and keeps only the fields of the answer, in the form that OpenAI gives them. */
function normalize(response: Response, body: string, count: CountUsage): Response {
  if (!response.ok) return response
  const parsed = parseJson(body)
  if (typeof parsed !== 'object' || parsed === null) return response
  const { usage, error, choices } = parsed as ResponseBody
  const [choice] = Array.isArray(choices) ? choices : []
  const { content, refusal, ...message } = choice?.message ?? {}
  const thoughts = [message.reasoning_content, message.reasoning, message.thinking].find(
    (text) => typeof text === 'string' && text !== '',
  )
  const failure = error || choice?.error || (choice?.finish_reason === 'error' && { code: 502 })
  if (usage || (choice && !failure)) count(usage, lengthOf(content) + lengthOf(thoughts))
  if (failure) return responseWith(response, JSON.stringify({ error: failure }), statusOfError(failure))
  if (!choice) return response
  const kept = { role: 'assistant', content: content ?? null, refusal, reasoning_content: thoughts }
  return responseWith(
    response,
    JSON.stringify({ choices: [{ message: kept, finish_reason: choice.finish_reason }] }),
  )
}

const lengthOf = (content: unknown): number =>
  typeof content === 'string' ? content.length : content ? JSON.stringify(content).length : 0
