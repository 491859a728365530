import { type MockEndpoint, startMockEndpoint } from './mock-endpoint.ts'

/** The body of OpenAI's `POST /v1/chat/completions`. */
export interface ChatRequest {
  model: string
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[]
  response_format?: { type: string; json_schema?: { schema: object; strict: boolean } }
}

export interface LanguageModelEndpoint extends MockEndpoint<ChatRequest> {
  /** Returns the text of the model's answer. */
  answer: (request: ChatRequest) => string
}

/** Starts a mock language model named `small`. It counts one input token per message. */
export async function startLanguageModelEndpoint(): Promise<LanguageModelEndpoint> {
  const endpoint = await startMockEndpoint<ChatRequest>('/v1/chat/completions', (request) => {
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

/** The instructions of a request, without its material. */
export const instructionsIn = ({ messages }: ChatRequest): string =>
  messages.find(({ role }) => role === 'system')?.content ?? ''
