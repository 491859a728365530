import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomField } from '#src/client/client.ts'
import { typesOf } from './types.ts'

const field = (input: Partial<CustomField>): CustomField => ({
  id: 'fld_1',
  entity: 'company',
  key: 'batch',
  label: 'Batch',
  type: 'text',
  options: [],
  currency: null,
  required: false,
  archived: false,
  updated_at: '2026-03-02T09:30:00.000Z',
  ...input,
})

test('types are exact, and labels cannot end their comment', () => {
  const types = typesOf([
    field({ label: 'Batch */ export {}\nnext' }),
    field({ key: 'size', type: 'money', currency: 'USD' }),
    field({ key: 'old', archived: true }),
    field({
      key: 'topics',
      type: 'multi_select',
      options: [
        { id: 'opt_1', label: 'AI' },
        { id: 'opt_2', label: 'Health' },
      ],
    }),
    field({ entity: 'deal', key: 'won', type: 'boolean' }),
    field({ entity: 'deal', key: 'empty', type: 'select' }),
  ])
  assert.equal(
    types,
    `/** The custom fields of a company. */
export interface CompanyCustom {
  /** Batch * / export {} next (text). */
  batch?: string
  /** Batch (money; USD). */
  size?: number
  /** Batch (multi_select; opt_1: AI, opt_2: Health). */
  topics?: ('opt_1' | 'opt_2')[]
}

/** The custom fields of a deal. */
export interface DealCustom {
  /** Batch (boolean). */
  won?: boolean
  /** Batch (select). */
  empty?: never
}

/** The custom fields of a person. */
export interface PersonCustom {
}
`,
  )
})
