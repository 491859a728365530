import { type ModelEndpoint, readEndpoint } from './model-endpoint.ts'
import type { Settings } from './settings.ts'

/** The language model of bulk actions. */
export interface LlmConfig {
  /** `builtin`: rules in place of a model, to try things out. */
  readonly kind: (typeof KINDS)[number]
  /** Only of the kind `openai-compatible`. */
  readonly endpoint: ModelEndpoint | undefined
}

const KINDS = ['off', 'openai-compatible', 'builtin'] as const

/** Rules are the default in development only: in production nobody should take them for a model's work. */
export function readLlm(settings: Settings, production: boolean): LlmConfig {
  const kind = settings.oneOf('LLM', production ? 'off' : 'builtin', KINDS)
  const endpoint = readEndpoint(settings, 'LLM', kind, 'gpt-5-mini')
  return Object.freeze({ kind, endpoint: endpoint && Object.freeze(endpoint) })
}
