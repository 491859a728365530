import { type MockEndpoint, startMockEndpoint } from './mock-endpoint.ts'

/** The body of OpenAI's `POST /v1/embeddings`. */
export interface EmbeddingRequest {
  model: string
  input: string[]
  dimensions?: number
}

export interface EmbeddingEndpoint extends MockEndpoint<EmbeddingRequest> {
  /**
   * Returns the vector of a text. By default it counts words; the words of one line of `SYNONYMS` count as the same.
   */
  embed: (text: string, dimensions: number) => unknown[]
}

const SYNONYMS = [
  ['car', 'cars', 'automobile', 'automobiles', 'vehicle'],
  ['milk', 'dairy', 'cow'],
  ['hospital', 'clinic', 'clinics', 'nurses', 'medical'],
  ['robot', 'robots', 'automaton', 'automatons'],
]

/** The dimensions of each model. */
const DIMENSIONS: Record<string, number> = { small: 64, large: 96, huge: 2400 }

/** Starts a mock embedding endpoint that can be made to fail. */
export async function startEmbeddingEndpoint(): Promise<EmbeddingEndpoint> {
  const endpoint = await startMockEndpoint<EmbeddingRequest>('/v1/embeddings', (request) => {
    const { model, input } = request
    const dimensions = request.dimensions ?? DIMENSIONS[model]
    if (!dimensions) return undefined
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: started.embed(text, dimensions),
    }))
    return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }
  })
  const started: EmbeddingEndpoint = Object.assign(endpoint, { embed: wordVector })
  return started
}

export function wordVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.001)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const group = SYNONYMS.findIndex((words) => words.includes(word))
    const position = group === -1 ? hash(word) % (dimensions - SYNONYMS.length) : dimensions - 1 - group
    vector[position] = (vector[position] ?? 0) + (group === -1 ? 1 : 4)
  }
  return vector
}

const hash = (word: string) => [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e9, 7)
