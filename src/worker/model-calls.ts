import type { Result, Usage } from '#src/client/client.ts'
import { Unanswered } from '#src/platform/language-model/language-model.ts'
import { EndpointFailure, EndpointRejection } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { storable } from './material.ts'
import { HopelessWork, PostponedWork } from './work.ts'

interface ModelAnswer<T> {
  answer: T
  /** The fields of the result that do not depend on the type of action. */
  common: Pick<Result, 'usage' | 'warning'>
}

/**
 * Calls a model about a company.
 * @returns the answer, or a failed result if the model cannot answer for this company
 * @throws PostponedWork while the model is unavailable
 * @throws HopelessWork if the model rejects every question
 */
export async function callModel<T>(
  company_id: string,
  call: () => Promise<{ answer: T; usage: Usage; warning?: string }>,
): Promise<ModelAnswer<T> | (Result & { error: object })> {
  try {
    const { answer, usage, warning } = await call()
    return {
      answer,
      common: { usage, ...(warning && { warning: { kind: 'prompt_cut', message: warning } }) },
    }
  } catch (error) {
    if (error instanceof EndpointRejection) throw new HopelessWork(error.message)
    if (error instanceof EndpointFailure) throw new PostponedWork(error.message)
    if (!(error instanceof Unanswered)) throw error
    const { kind, message, usage } = error
    return { company_id, error: { kind, message: storable(message, 2000) }, usage }
  }
}

/** @throws PostponedWork when the worker and the service use different models: results would carry the wrong name */
export function requireSameModel(expected: string, own: string): void {
  if (expected !== own)
    throw new PostponedWork(
      `The worker uses the model ${own}, but the service uses ${expected}. Give both the same LLM settings.`,
    )
}
