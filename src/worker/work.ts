import type { Client, Result, Usage, Work } from '#src/client/client.ts'

export type BulkAction = Awaited<ReturnType<Client['getBulkAction']>>['data']

/** Whether the action has ended or an external worker has taken it over. */
export const isFinished = ({ completed_at, external_worker }: BulkAction): boolean =>
  completed_at !== null || external_worker

export interface Progress {
  stopped: AbortSignal
  /** Called with the reason before each automatic retry. */
  onRetry: (reason: string) => void
  /** Called with the cost of work that is left open, because its model has failed in the middle. */
  onSpent?: (usage: Usage) => void
}

/** Processes one type of action and yields results as they become available. If it throws, the batch is retried later. */
export type Handler = (work: Work, progress: Progress) => AsyncIterable<Result[]>

/** The handlers of a worker by type of action. */
export type Handlers = Partial<Record<Work['action_type'], Handler>>

/** Something the batch needs is unavailable. The batch returns to the queue, and this does not count as a failure. */
export class PostponedWork extends Error {}

/** The rest of the action cannot succeed either. Its companies stay pending until someone retries it. */
export class HopelessWork extends Error {}

/** An error whose message is safe to show to users. */
export class WorkError extends Error {}
