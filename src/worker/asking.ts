import type { Result, Usage } from '#src/client/client.ts'
import { EndpointFailure } from '#src/platform/models/endpoint-faults.ts'
import { Unanswered } from '#src/platform/models/language-model.ts'
import { cut } from './material.ts'
import { PostponedWork } from './work.ts'

/**
 * An answer about a company, or its result when there is none for it.
 * @throws PostponedWork while the model is of no use
 */
export async function callModel<T>(
  company_id: string,
  ask: () => Promise<{ answer: T; usage: Usage }>,
): Promise<{ answer: T; usage: Usage } | (Result & { error: object })> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof EndpointFailure) throw new PostponedWork(error.message)
    if (!(error instanceof Unanswered)) throw error
    const { kind, message, usage } = error
    return { company_id, error: { kind, message: cut(message, 2000) }, usage }
  }
}

/** @throws PostponedWork when the service is set to another model than the worker, whose work it would be taken for */
export function requireSameModel(expected: string, own: string): void {
  if (expected !== own)
    throw new PostponedWork(
      `A worker with other LLM settings than the service (${own}, not ${expected}) cannot do it; give it the same.`,
    )
}
