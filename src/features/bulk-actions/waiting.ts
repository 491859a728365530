import type { Context } from '#src/context.ts'
import { embeddingModel, prepareIndexes } from '#src/features/search/index.ts'
import { Unavailable } from '#src/platform/errors.ts'
import type { ActionType } from './schema.ts'
import { BUILTIN_MODEL } from './work-schema.ts'

/** For each type of action that cannot start with the current settings, a sentence that says what to set. */
export type BlockReasons = Partial<Record<ActionType, string>>

/** The types of action that cannot start with the current settings, and why. */
export function blockReasons({
  embeddings,
  llm,
  worker,
}: Pick<Context['config'], 'embeddings' | 'llm' | 'worker'>): BlockReasons {
  const reasons: BlockReasons = {}
  const reason = worker.kind === 'off' ? 'external' : 'settings'
  if (embeddings.kind === 'off') reasons.generate_embeddings = MISSING_SETTINGS.embeddings[reason]
  if (llm.kind === 'off') reasons.llm_score = reasons.enrich_profile = MISSING_SETTINGS.llm[reason]
  return reasons
}

const MISSING_SETTINGS = {
  embeddings: {
    settings:
      'Semantic search is off. Set EMBEDDINGS=builtin or EMBEDDINGS=openai-compatible and restart the service: the action starts then.',
    external:
      'An external worker must pick this up: the service has none (WORKER=off), and semantic search is off (EMBEDDINGS=off).',
  },
  llm: {
    settings:
      'No language model is set. Set LLM=openai-compatible with LLM_BASE_URL and LLM_MODEL, or LLM=builtin to use rules instead, and restart the service: the action starts then.',
    external:
      'An external worker must pick this up: the service has none (WORKER=off) and no language model (LLM=off).',
  },
} as const

/**
 * Creates the database objects that a type of action needs, if they are missing.
 * @returns a sentence that says why the action must wait; null if it can start
 */
export async function prepareFor(
  { indexes }: Pick<Context, 'indexes'>,
  action_type: ActionType,
): Promise<string | null> {
  if (action_type !== 'generate_embeddings' || !indexes) return null
  try {
    await prepareIndexes(indexes)
    return null
  } catch (error) {
    if (error instanceof Unavailable) return error.message
    throw error
  }
}

type Readiness = Record<ActionType, { model: string | null; waiting_for: string | null }>

/** For each type of action, the model that does the work and the reason an action could not start. */
export async function readReadiness({
  config,
  indexes,
}: Pick<Context, 'config' | 'indexes'>): Promise<Readiness> {
  const reasons = blockReasons(config)
  const readiness = async (action_type: ActionType, model: string | null) => ({
    model,
    waiting_for: reasons[action_type] ?? (await prepareFor({ indexes }, action_type)),
  })
  const { llm } = config
  const languageModel = llm.kind === 'off' ? null : (llm.endpoint?.model ?? BUILTIN_MODEL)
  return {
    generate_embeddings: await readiness(
      'generate_embeddings',
      indexes ? embeddingModel(indexes).name : null,
    ),
    llm_score: await readiness('llm_score', languageModel),
    enrich_profile: await readiness('enrich_profile', languageModel),
  }
}
