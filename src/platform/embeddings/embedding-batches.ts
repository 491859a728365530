import {
  EndpointFailure,
  type EndpointName,
  EndpointRejection,
  failureOf,
  isInputError,
  isRefusal,
  reasonOf,
  serverWords,
} from '#src/platform/model-endpoint/endpoint-errors.ts'

/** The vector of a text, or the reason why it has none. */
export type Embedding = { vector: number[] } | { reason: string }

/** Returns the embeddings of the texts, in their order; retries a failed request this many times. */
export type Ask = (texts: string[], retries?: number) => Promise<Embedding[]>

const ENDPOINT: EndpointName = { name: 'The embedding endpoint', settings: 'EMBEDDINGS' }
/** A rejected text is cut to the next of these lengths. */
const SHORTER_LENGTHS = [2000, 500]
const LARGE_BATCH = 16
export const NO_VECTOR = 'The embedding endpoint returned no vector.'
/** A valid text, to tell whether the endpoint itself fails. */
const PROBE = 'software'

/** Embeds texts in batches that the endpoint accepts, and remembers their size. */
export class EmbeddingBatches {
  /** The most texts that the endpoint takes at a time, as far as it has refused more. */
  #maxTexts = Number.POSITIVE_INFINITY
  /** How many texts were refused alone, even if they were accepted once they were shorter. */
  #refusedAlone = 0

  /**
   * Embeds the texts so that one bad text does not fail the others.
   * @throws EndpointFailure
   */
  async embed(ask: Ask, texts: string[], size = texts.length, retries?: number): Promise<Embedding[]> {
    const found: Embedding[] = []
    while (found.length < texts.length) {
      const batch = texts.slice(found.length, found.length + Math.max(1, Math.min(size, this.#maxTexts)))
      found.push(...(await this.#embedBatch(ask, batch, retries)))
    }
    return found
  }

  async #embedBatch(ask: Ask, texts: string[], retries: number | undefined): Promise<Embedding[]> {
    try {
      const found = await ask(texts, retries)
      if (found.some((embedding) => 'reason' in embedding)) await probe(ask)
      return found
    } catch (error) {
      if (!isInputError(error)) throw failureOf(error, ENDPOINT)
      if (texts.length === 1) {
        this.#refusedAlone += 1
        return [await embedShortened(ask, texts[0] ?? '', error)]
      }
      return this.#split(ask, texts, error)
    }
  }

  /** Embeds a refused batch in smaller ones. Unless one of its texts is refused alone, the batch was too large. */
  async #split(ask: Ask, texts: string[], error: unknown): Promise<Embedding[]> {
    if (!isRefusal(error)) await probe(ask)
    const half = Math.ceil(texts.length / 2)
    const stated = isRefusal(error) ? statedLimit(serverWords(error), texts.length) : undefined
    const smaller = stated ?? half
    const refusedBefore = this.#refusedAlone
    const found = await this.embed(ask, texts, smaller, 0)
    if (isRefusal(error) && this.#refusedAlone === refusedBefore)
      this.#maxTexts = Math.min(this.#maxTexts, smaller)
    // This many texts are unlikely to be all invalid, unless the endpoint names the text as the cause.
    const isBroken =
      texts.length >= LARGE_BATCH && !isRefusal(error) && found.every((embedding) => 'reason' in embedding)
    if (isBroken) throw failureOf(error, ENDPOINT)
    return found
  }
}

/** The limit of a batch that the server's words state, if it is smaller than this one. */
function statedLimit(words: string, texts: number): number | undefined {
  const isAboutBatches =
    /batch|too many (?:inputs?|items?|texts?)|(?:number|list|array|count|maximum|at most|up to|more than)\D{0,40}(?:inputs?|items?|texts?|documents?|elements?|\d)/i
  if (!isAboutBatches.test(words) || /token|character|length/i.test(words)) return undefined
  const limits = [...words.matchAll(/(?<![\w.[])\d+(?![\w\]])/g)].map(Number)
  return limits.filter((limit) => limit >= 1 && limit < texts).at(-1)
}

async function embedShortened(ask: Ask, text: string, error: unknown): Promise<Embedding> {
  await probe(ask)
  // The full text is tried once more: the error may have been temporary.
  for (const length of [text.length, ...SHORTER_LENGTHS.filter((shorter) => shorter < text.length)])
    try {
      const [found = { reason: NO_VECTOR }] = await ask([cut(text, length)], 0)
      return found
    } catch (error) {
      if (!isInputError(error)) throw failureOf(error, ENDPOINT)
    }
  // The endpoint may have gone down since.
  await probe(ask)
  return { reason: reasonOf(error, ENDPOINT) }
}

/** Checks whether the endpoint or the texts are the problem. */
async function probe(ask: Ask): Promise<void> {
  const [found = { reason: NO_VECTOR }] = await ask([PROBE]).catch((error) => {
    throw isRefusal(error)
      ? new EndpointRejection(`${reasonOf(error, ENDPOINT)} It rejects every text.`, { cause: error })
      : failureOf(error, ENDPOINT)
  })
  if ('reason' in found) throw new EndpointFailure(`${found.reason} This happens for every text.`)
}

export const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()
