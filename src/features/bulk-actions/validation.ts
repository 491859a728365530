import type { Context } from '#src/context.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { MissingPermission } from '#src/platform/identity/authorize.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { type ActionType, type BulkActionPatch, ERROR_SUMMARY_LIMITS, type NewBulkAction } from './schema.ts'

/** @throws InvalidInput for a field that the type of action does not use */
export function requireFittingFields({
  action_type,
  thesis_id,
  token_budget,
  existing,
}: Pick<NewBulkAction, 'thesis_id' | 'token_budget' | 'existing'> & { action_type: ActionType }): void {
  if ((thesis_id ?? null) !== null && action_type !== 'llm_score')
    throw new InvalidInput(`thesis_id can only be used with llm_score, not with ${action_type}.`)
  if ((existing ?? null) !== null && action_type === 'generate_embeddings')
    throw new InvalidInput('existing can only be used with llm_score and enrich_profile.')
  if (existing === 'replace' && action_type === 'enrich_profile')
    throw new InvalidInput(
      'existing must be keep for enrich_profile, not replace: it fills empty fields only.',
    )
  if ((token_budget ?? null) !== null && action_type === 'generate_embeddings')
    throw new InvalidInput(
      'token_budget can only be used with llm_score and enrich_profile. generate_embeddings uses no language model.',
    )
}

/** @throws InvalidInput for an error_summary with too many kinds, or too many bytes */
export function requireSmallSummary({ error_summary }: BulkActionPatch): void {
  if (error_summary === undefined) return
  const { kinds, bytes } = ERROR_SUMMARY_LIMITS
  const kindsSent = Object.keys(error_summary).length
  if (kindsSent > kinds)
    throw new InvalidInput(`error_summary must have at most ${kinds} kinds, not ${kindsSent}.`)
  const bytesSent = Buffer.byteLength(JSON.stringify(error_summary))
  if (bytesSent > bytes)
    throw new InvalidInput(`error_summary must be at most ${bytes} bytes of JSON, not ${bytesSent}.`)
}

/** @throws MissingPermission for an action that uses a language model without a budget, or with a larger one than the caller may set */
export function requireBudget(
  { authorize, config }: Pick<Context, 'authorize' | 'config'>,
  user: User | null,
  { action_type, token_budget }: { action_type: ActionType; token_budget?: number | null | undefined },
): void {
  const usesModel = action_type !== 'generate_embeddings' && config.llm.kind === 'openai-compatible'
  const max = config.llm.memberTokenBudget
  if (!usesModel || (token_budget && token_budget <= max)) return
  try {
    authorize(user, 'bulk_unbudgeted')
  } catch (error) {
    if (!token_budget || !(error instanceof MissingPermission)) throw error
    const allowed = `token_budget must be at most ${formatCount(max)} (MEMBER_TOKEN_BUDGET), not ${formatCount(token_budget)}.`
    throw new MissingPermission(error.action, `${allowed} ${error.message}`)
  }
}

const formatCount = (count: number): string => count.toLocaleString('en-US')
