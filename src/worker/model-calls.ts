import type { Result, Usage } from '#src/client/client.ts'
import { EndpointFailure } from '#src/platform/models/endpoint-faults.ts'
import { Unanswered } from '#src/platform/models/language-model.ts'
import { truncate } from './material.ts'
import { PostponedWork } from './work.ts'

/**
 * Calls a model about a company.
 * @returns the answer, or a failed result if the model cannot answer for this company
 * @throws PostponedWork while the model is unavailable
 */
export async function callModel<T>(
  company_id: string,
  call: () => Promise<{ answer: T; usage: Usage }>,
): Promise<{ answer: T; usage: Usage } | (Result & { error: object })> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof EndpointFailure) throw new PostponedWork(error.message)
    if (!(error instanceof Unanswered)) throw error
    const { kind, message, usage } = error
    return { company_id, error: { kind, message: truncate(message, 2000) }, usage }
  }
}

/** @throws PostponedWork when the worker and the service use different models: results would carry the wrong name */
export function requireSameModel(expected: string, own: string): void {
  if (expected !== own)
    throw new PostponedWork(
      `The worker uses the model ${own}, but the service uses ${expected}. Give both the same LLM settings.`,
    )
}
