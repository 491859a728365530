import { isWebUrl } from '#src/platform/network/addresses.ts'
import type { Settings } from './settings.ts'

/** A model at an endpoint compatible with OpenAI's API. */
export interface ModelEndpoint {
  /** The URL before `/embeddings` or `/chat/completions`, such as https://api.openai.com/v1. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** The model's name at the endpoint. */
  readonly model: string
}

/** Whether the text is an http(s) URL without credentials, query or fragment. */
export function isPlainUrl(text: string): boolean {
  if (!isWebUrl(text)) return false
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}

/**
 * Reads the endpoint settings that start with `prefix`. Returns `undefined` unless `kind` is `openai-compatible`.
 * @param example a model name to suggest when none is set
 * @param more suffixes of further settings that belong to the endpoint
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
  if (baseUrl && !isPlainUrl(baseUrl))
    settings.addError(
      `${prefix}_BASE_URL`,
      `must be a URL such as https://api.openai.com/v1, without a query or credentials (set the key with ${prefix}_API_KEY)`,
    )
  if (baseUrl && /\/(?:embeddings|completions)\/*$/.test(baseUrl))
    settings.addError(`${prefix}_BASE_URL`, 'must end before /embeddings or /chat/completions')
  if (kind !== 'openai-compatible') {
    const names = ['BASE_URL', 'API_KEY', 'MODEL', ...more].map((name) => [`${prefix}_${name}`, ''])
    settings.warnIfUnused(Object.fromEntries(names), `${prefix} is openai-compatible`)
    return undefined
  }
  if (!baseUrl)
    settings.addError(
      `${prefix}_BASE_URL`,
      `is required with ${prefix}=openai-compatible, such as https://api.openai.com/v1`,
    )
  if (!model)
    settings.addError(`${prefix}_MODEL`, `is required with ${prefix}=openai-compatible, such as ${example}`)
  return { baseUrl: (baseUrl ?? '').replace(/\/+$/, ''), apiKey, model: model ?? '' }
}

/** The language model that bulk actions use. */
export interface LlmConfig {
  /** `builtin` uses rules instead of a model, for trying things out. */
  readonly kind: (typeof KINDS)[number]
  /** Set if `kind` is `openai-compatible`. */
  readonly endpoint: ModelEndpoint | undefined
  /** The largest token budget of an action that a member may start. */
  readonly memberTokenBudget: number
}

const KINDS = ['off', 'openai-compatible', 'builtin'] as const

/** Production defaults to `off`, so that rule-based results are not mistaken for a model's. */
export function readLlm(settings: Settings, production: boolean): LlmConfig {
  const kind = settings.oneOf('LLM', production ? 'off' : 'builtin', KINDS)
  const endpoint = readEndpoint(settings, 'LLM', kind, 'gpt-5-mini')
  const memberTokenBudget = settings.wholeNumber('MEMBER_TOKEN_BUDGET', 10_000_000, 1, 1e12)
  return Object.freeze({ kind, endpoint: endpoint && Object.freeze(endpoint), memberTokenBudget })
}
