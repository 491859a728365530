import { type FaultyEndpoint, startFaultyEndpoint } from './faulty-endpoint.ts'

/** What it is asked for: OpenAI's `POST /v1/chat/completions`. */
export interface ChatRequest {
  model: string
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[]
  response_format?: { type: string; json_schema?: { schema: object; strict: boolean } }
}

export interface LanguageModelEndpoint extends FaultyEndpoint<ChatRequest> {
  /** Gives the text of an answer. */
  answer: (request: ChatRequest) => string
}

/** A language model of the name `small`, whose answers are up to the test; it counts a token for each message. */
export async function startLanguageModelEndpoint(): Promise<LanguageModelEndpoint> {
  const endpoint = await startFaultyEndpoint<ChatRequest>('/v1/chat/completions', (request) => {
    const { model, messages } = request
    if (model !== 'small') return undefined
    const message = { role: 'assistant', content: started.answer(request) }
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: messages.length, completion_tokens: 5, total_tokens: messages.length + 5 },
    }
  })
  const started: LanguageModelEndpoint = Object.assign(endpoint, { answer: () => '{}' })
  return started
}

/** What the model is told, without what it has to work with. */
export const instructionsIn = ({ messages }: ChatRequest): string =>
  messages.find(({ role }) => role === 'system')?.content ?? ''
