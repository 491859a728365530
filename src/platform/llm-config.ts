import { type ModelEndpoint, readEndpoint } from './endpoint-config.ts'
import type { Settings } from './settings.ts'

/** The language model that scores companies and writes their profiles. */
export interface LlmConfig {
  /** `builtin`: rules in place of a model, to try things out. */
  readonly kind: (typeof KINDS)[number]
  /** Only of the kind `openai-compatible`. */
  readonly endpoint: ModelEndpoint | undefined
}

const KINDS = ['off', 'openai-compatible', 'builtin'] as const

export function readLlm(settings: Settings): LlmConfig {
  const kind = settings.oneOf('LLM', 'off', KINDS)
  const endpoint = readEndpoint(settings, 'LLM', kind, 'gpt-5-mini')
  return Object.freeze({ kind, endpoint: endpoint && Object.freeze(endpoint) })
}
