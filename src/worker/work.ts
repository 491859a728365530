import type { Client, Result, Work } from '#src/client/client.ts'

export type BulkAction = Awaited<ReturnType<Client['getBulkAction']>>['data']

/** Whether nothing is left to do: the action has ended, or an external worker has taken it over. */
export const isOver = ({ completed_at, external_worker }: BulkAction): boolean =>
  completed_at !== null || external_worker

export interface Progress {
  stopped: AbortSignal
  /** Told why the work cannot go on now; it goes on by itself. */
  onRetry: (reason: string) => void
}

/**
 * Does the work of one kind of action, and gives results as they come. What it throws fails what is left of the batch,
 * which is tried again later.
 */
export type Handler = (work: Work, progress: Progress) => AsyncIterable<Result[]>

/** What a worker can do, by the kind of action. */
export type Handlers = Partial<Record<Work['action_type'], Handler>>

/** The work cannot go on now, and that is not the batch's fault: somebody else's is done meanwhile. */
export class PostponedWork extends Error {}

/** A fault that whoever has started the action may be told of. */
export class WorkError extends Error {}
