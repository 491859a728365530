import { isWebAddress } from '#src/platform/network/addresses.ts'
import type { Settings } from './settings.ts'

/** A model behind an endpoint that speaks OpenAI's API. */
export interface ModelEndpoint {
  /** Up to the `/embeddings` or `/chat/completions` that requests end in, such as https://api.openai.com/v1. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** As the endpoint knows it. */
  readonly model: string
}

/** Whether the text is an address with nothing in it but where to go. */
export function isPlainAddress(text: string): boolean {
  if (!isWebAddress(text)) return false
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}

/**
 * The endpoint of the settings that begin with `prefix`; undefined unless `prefix` itself is `openai-compatible`.
 * @param example a model's name, for whoever has named none
 * @param more what else belongs to the endpoint, without the prefix
 */
export function readEndpoint(
  settings: Settings,
  prefix: 'EMBEDDINGS' | 'LLM',
  kind: string,
  example: string,
  more: readonly string[] = [],
): ModelEndpoint | undefined {
  const baseUrl = settings.text(`${prefix}_BASE_URL`)
  const apiKey = settings.text(`${prefix}_API_KEY`)
  const model = settings.text(`${prefix}_MODEL`)
  if (baseUrl && !isPlainAddress(baseUrl))
    settings.demand(
      `${prefix}_BASE_URL`,
      `must be an address such as https://api.openai.com/v1, without a user (the key is ${prefix}_API_KEY) or a query`,
    )
  if (baseUrl && /\/(?:embeddings|completions)\/*$/.test(baseUrl))
    settings.demand(`${prefix}_BASE_URL`, 'must end before /embeddings or /chat/completions')
  if (kind !== 'openai-compatible') {
    const names = ['BASE_URL', 'API_KEY', 'MODEL', ...more].map((name) => [`${prefix}_${name}`, ''])
    settings.warnOfIdle(Object.fromEntries(names), `${prefix} is openai-compatible`)
    return undefined
  }
  if (!baseUrl)
    settings.demand(
      `${prefix}_BASE_URL`,
      `${prefix}=openai-compatible needs it, such as https://api.openai.com/v1`,
    )
  if (!model) settings.demand(`${prefix}_MODEL`, `${prefix}=openai-compatible needs it, such as ${example}`)
  return { baseUrl: (baseUrl ?? '').replace(/\/+$/, ''), apiKey, model: model ?? '' }
}
