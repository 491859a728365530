import { type BulkActionJob, QUEUES } from '#src/client/client.ts'
import type { Queue, Queues } from '#src/platform/queue.ts'

/** The queue of each type of action. Some types share one. */
export type BulkQueues = Record<keyof typeof QUEUES, Queue<BulkActionJob>>

/** The queues between the service and its workers. */
export function openBulkQueues(queues: Queues): BulkQueues {
  const modelQueue = queues.queue<BulkActionJob>(QUEUES.llm_score)
  return {
    generate_embeddings: queues.queue(QUEUES.generate_embeddings),
    llm_score: modelQueue,
    enrich_profile: modelQueue,
  }
}
