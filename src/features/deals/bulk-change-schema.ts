import { type Static, Type } from 'typebox'
import { Data, endpoint, Named, Nullable, Patch, Strict } from '#src/platform/schema/shapes.ts'
import { dealExample, dealFieldSchemas } from './schema.ts'

export const MAX_CHANGED_DEALS = 500

export const DealsPatch = Strict(
  Type.Object(
    {
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: MAX_CHANGED_DEALS,
        description: 'Ids of deals: df_… Duplicates count once.',
      }),
      changes: Patch(dealFieldSchemas),
    },
    {
      title: 'DealsPatch',
      examples: [{ ids: [dealExample.id], changes: { stage: 'meeting' } }],
    },
  ),
)
export type DealsPatch = Static<typeof DealsPatch>

export const DealsChanged = Named('DealsChanged', {
  updated: Type.Integer({ description: 'The number of deals that were changed.' }),
  unchanged: Type.Integer({ description: 'The number of deals that already had these values.' }),
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the change. null if nothing was changed.',
    }),
  ),
})
export type DealsChanged = Static<typeof DealsChanged>

export const updateDeals = endpoint('PATCH', '/api/dealflow', {
  operationId: 'updateDeals',
  'x-action': 'write',
  tags: ['Dealflow'],
  summary: 'Change many deals at once',
  description:
    'Makes the same changes to all of the deals, for example to move them to another stage. If an id does not exist, the ' +
    'response is 400 and nothing changes. ' +
    'Fields that are not sent keep their values. null clears a field. Each change is recorded in the activity log.',
  body: DealsPatch,
  response: {
    200: Data(DealsChanged, {
      updated: 12,
      unchanged: 1,
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
    }),
  },
})
