import { Type } from 'typebox'
import { Data, endpoint, Nullable } from '#src/platform/schema/shapes.ts'
import { tags, WaitingFor } from './schema.ts'

const BulkActionReadiness = Type.Object({
  model: Nullable(
    Type.String({
      description:
        'What does the work: the name of a model, or builtin-heuristic for rules; null: nothing here.',
    }),
  ),
  waiting_for: Nullable(WaitingFor),
})

export const getBulkActionReadiness = endpoint('GET', '/api/bulk-actions/readiness', {
  operationId: 'getBulkActionReadiness',
  tags,
  summary: 'Read which types of bulk actions can start here',
  description: 'An action whose type has a waiting_for is accepted, and waits as pending.',
  response: {
    200: Data(
      Type.Object({
        generate_embeddings: BulkActionReadiness,
        llm_score: BulkActionReadiness,
        enrich_profile: BulkActionReadiness,
      }),
      {
        generate_embeddings: { model: 'builtin-1', waiting_for: null },
        llm_score: { model: 'gpt-5-mini', waiting_for: null },
        enrich_profile: { model: 'gpt-5-mini', waiting_for: null },
      },
    ),
  },
})
