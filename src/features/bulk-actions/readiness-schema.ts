import { Type } from 'typebox'
import { Data, endpoint, Named, Nullable } from '#src/platform/schema/shapes.ts'
import { tags, WaitingFor } from './schema.ts'

const BulkActionReadiness = Named('BulkActionReadiness', {
  model: Nullable(
    Type.String({
      description: 'The model that does the work; builtin-heuristic stands for rules. null: there is none.',
    }),
  ),
  waiting_for: Nullable(WaitingFor),
})

export const getBulkActionReadiness = endpoint('GET', '/api/bulk-actions/readiness', {
  operationId: 'getBulkActionReadiness',
  'x-action': 'read',
  tags,
  summary: 'Read which types of bulk actions can start',
  description: 'An action is accepted even if its type has a waiting_for. It then stays pending.',
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
