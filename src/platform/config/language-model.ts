import { type ModelEndpoint, readEndpoint } from './model-endpoint.ts'
import type { Settings } from './settings.ts'

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
