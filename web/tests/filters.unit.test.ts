import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DraftGroup,
  draftOf,
  filterOf,
  isAllowedChange,
  isWellFormed,
  newCondition,
  newGroup,
  withDraft,
} from '#web/filters/draft.ts'
import { choiceOf, minimumOf, withChoice, withMinimum } from '#web/filters/facet-choice.ts'
import { comparisonsOf, readCondition, valueFor } from '#web/filters/operators.ts'
import { describePart } from '#web/filters/sentence.ts'
import { type Filter, filterText, withPart } from '#web/filters/tree.ts'
import type { Field } from '#web/filters/use-fields.ts'
import { type CompaniesSearch, companiesSearch } from '#web/screens/companies/companies-search.ts'
import { facetFiltersOf, separateFacets } from '#web/screens/companies/facet-query.ts'

const germanyOrFrance: Filter = { field: 'country_code', op: 'in', value: ['DE', 'FR'] }
const noOwner: Filter = { field: 'owner_email', op: 'is_empty' }
const nested: Filter = { or: [{ field: 'name', op: 'contains', value: 'labs' }, { not: noOwner }] }

test('a choice in a facet is one condition of the filter', () => {
  const chosen = withChoice(nested, 'country_code', { values: ['DE', 'FR'], isEmptyChosen: false })
  assert.deepEqual(chosen, { and: [nested, germanyOrFrance] })
  assert.deepEqual(choiceOf(chosen, 'country_code'), { values: ['DE', 'FR'], isEmptyChosen: false })
  assert.deepEqual(choiceOf(chosen, 'owner_email'), { values: [], isEmptyChosen: false })

  const withEmpty = withChoice(chosen, 'country_code', { values: ['DE'], isEmptyChosen: true })
  const either = {
    or: [
      { field: 'country_code', op: 'in', value: ['DE'] },
      { field: 'country_code', op: 'is_empty' },
    ],
  }
  assert.deepEqual(withEmpty, { and: [nested, either] })
  assert.deepEqual(choiceOf(withEmpty, 'country_code'), { values: ['DE'], isEmptyChosen: true })
  assert.deepEqual(withChoice(withEmpty, 'country_code', { values: [], isEmptyChosen: false }), nested)
  assert.deepEqual(withChoice(undefined, 'owner_email', { values: [], isEmptyChosen: true }), noOwner)
  assert.equal(withChoice(noOwner, 'owner_email', { values: [], isEmptyChosen: false }), undefined)
})

test('a choice of yes and no is made of booleans', () => {
  const yes = { field: 'custom.lead', op: 'eq' as const, value: true }
  const chosen = withChoice(noOwner, 'custom.lead', { values: ['true'], isEmptyChosen: false }, true)
  assert.deepEqual(chosen, { and: [noOwner, yes] })
  const any = { values: ['true', 'false'], isEmptyChosen: true }
  const all = withChoice(undefined, 'custom.lead', any, true)
  assert.deepEqual(all, {
    or: [yes, { ...yes, value: false }, { field: 'custom.lead', op: 'is_empty' }],
  })
  assert.deepEqual(choiceOf(all, 'custom.lead'), any)
})

test('the minimum score is one condition of the filter', () => {
  const score: Filter = { field: 'llm_score_overall', op: 'gte', value: 70 }
  assert.deepEqual(withMinimum(noOwner, 'llm_score_overall', 70), { and: [noOwner, score] })
  assert.equal(minimumOf({ and: [noOwner, score] }, 'llm_score_overall'), 70)
  assert.equal(withMinimum(score, 'llm_score_overall', undefined), undefined)
})

test('simple filters of old links become conditions', () => {
  const { filter, ...others } = companiesSearch({
    q: 'labs',
    status: 'active',
    country_code: ['DE', 'FR', 'Germany'],
    min_score: '70',
    industry_category: 5,
    thesis_id: null,
    sort: '-custom.batch,name',
    unknown: 1,
  })
  assert.deepEqual(filter, {
    and: [
      { field: 'status', op: 'in', value: ['active'] },
      germanyOrFrance,
      { field: 'industry_category', op: 'in', value: ['5'] },
      { field: 'llm_score_overall', op: 'gte', value: 70 },
    ],
  })
  assert.deepEqual(others, { q: 'labs', sort: '-custom.batch,name' })
  assert.deepEqual(companiesSearch({ filter: nested, status: 'active' }).filter, {
    and: [nested, { field: 'status', op: 'in', value: ['active'] }],
  })
})

test('the address keeps its filter as it is, and only valid columns, views, and sorts', () => {
  const search: CompaniesSearch = {
    filter: nested,
    sort: 'name,-revenue_eur,custom.batch',
    view: 'view_01jw3f8x64m1b3d5f7h9j1k3n5',
    columns: [{ field: 'name', width: 240, pinned: true }, { field: 'tags' }],
    page: 3,
  }
  assert.deepEqual(companiesSearch({ ...search }), search)
  assert.deepEqual(
    companiesSearch({
      sort: 'a,b,c,d',
      view: '../x',
      columns: [null, 7, { field: '' }, { field: 'name', width: -1, pinned: 'x' }, { field: 'name' }],
      page: 1,
    }),
    { columns: [{ field: 'name' }] },
  )
})

test('a malformed filter of the address is sent to the service as it is', () => {
  for (const filter of ['{"field":', 5, [], { and: 7 }, { or: [null] }, { field: 7, op: 'eq' }]) {
    const search = companiesSearch({ filter })
    assert.deepEqual(search.filter, filter)
    assert.equal(
      filterText(search.filter as Filter),
      typeof filter === 'string' ? filter : JSON.stringify(filter),
    )
    assert.deepEqual(choiceOf(search.filter, 'status'), { values: [], isEmptyChosen: false })
    assert.equal(withPart(search.filter, 0), undefined)
    assert.equal(facetFiltersOf(search).filter, filterText(search.filter as Filter))
  }
})

test('facets take choices as simple filters, and count a facet with "No value" separately', () => {
  const either: Filter = {
    or: [
      { field: 'tags', op: 'in', value: ['AI'] },
      { field: 'tags', op: 'is_empty' },
    ],
  }
  const search: CompaniesSearch = {
    q: 'labs',
    filter: {
      and: [germanyOrFrance, { field: 'llm_score_overall', op: 'gte', value: 70 }, either, nested],
    },
  }
  assert.deepEqual(facetFiltersOf(search), {
    country_code: ['DE', 'FR'],
    min_score: 70,
    filter: JSON.stringify({ and: [either, nested] }),
    search: 'labs',
  })
  const separate = separateFacets(search, ['country_code', 'tags', 'custom.batch'])
  assert.deepEqual(
    separate.map(({ field }) => field),
    ['tags'],
  )
  assert.equal(facetFiltersOf(separate[0]?.search ?? {}).filter, JSON.stringify(nested))
})

const field = (name: string, type: Field['type'], change: Partial<Field> = {}): Field => ({
  id: null,
  entity: 'company',
  key: name,
  name,
  label: name,
  type,
  operators: [],
  is_sortable: true,
  options: [],
  currency: null,
  required: false,
  has_values: null,
  archived: false,
  updated_at: null,
  ...change,
})
const fields = new Map(
  [
    field('name', 'text', { label: 'Name', required: true }),
    field('country_code', 'select', { label: 'Country' }),
    field('owner_email', 'user', { label: 'Owner' }),
    field('llm_score_overall', 'number', { label: 'Score' }),
    field('founded_year', 'number', { label: 'Founded' }),
    field('created_at', 'timestamp', { label: 'Created', required: true }),
    field('custom.next_call', 'date', { label: 'Next call', id: 'fld_1' }),
    field('has_deal', 'boolean', { label: 'Has a deal', required: true }),
  ].map((one) => [one.name, one]),
)
const names = { fields, nameOf: (_field: string, value: string) => value.toUpperCase() }
const nextCall = 'custom.next_call'

/** Filters, as they read, and whether the builder writes them in the same form. */
const SENTENCES: [Filter, string, rewritten?: Filter][] = [
  [germanyOrFrance, 'Country is DE or FR'],
  [
    { field: 'country_code', op: 'eq', value: 'de' },
    'Country is DE',
    { field: 'country_code', op: 'in', value: ['de'] },
  ],
  [
    { field: 'country_code', op: 'not_in', value: ['a', 'b', 'c', 'd', 'e'] },
    'Country is not A, B, C, or 2 more',
  ],
  [noOwner, 'Owner is empty'],
  [{ field: 'custom.gone', op: 'gt', value: 3 }, 'Gone is more than 3'],
  [{ field: 'id', op: 'in', value: ['cmp_1', 'cmp_2'] }, 'Record is one of 2 selected'],
  [{ or: [{ field: 'owner_email', op: 'in', value: ['me'] }, noOwner] }, 'Owner is ME or empty'],
  [{ field: 'llm_score_overall', op: 'gte', value: 70 }, 'Score is at least 70'],
  [{ field: 'founded_year', op: 'between', value: [1999, 2010] }, 'Founded is between 1999 and 2010'],
  [{ field: 'created_at', op: 'gte', value: '-30d' }, 'Created is in the last 30 days'],
  [{ field: 'created_at', op: 'lt', value: '-1y' }, 'Created is before 1 year ago'],
  [{ field: nextCall, op: 'between', value: ['-2w', 'today'] }, 'Next call is in the last 2 weeks'],
  [{ field: nextCall, op: 'between', value: ['today', '+1m'] }, 'Next call is in the next month'],
  [{ field: nextCall, op: 'gt', value: '+3d' }, 'Next call is more than 3 days from now'],
  [{ field: nextCall, op: 'ne', value: '-3d' }, 'Next call is not 3 days ago'],
  [{ field: nextCall, op: 'eq', value: 'today' }, 'Next call is today'],
  [{ field: nextCall, op: 'gte', value: '-30d' }, 'Next call is on or after 30 days ago'],
  [{ field: 'has_deal', op: 'eq', value: true }, 'Has a deal is yes'],
  [
    { field: 'has_deal', op: 'ne', value: true },
    'Has a deal is no',
    { field: 'has_deal', op: 'eq', value: false },
  ],
  [{ not: { field: 'name', op: 'contains', value: 'labs' } }, 'Name does not contain LABS'],
  [{ not: { field: 'llm_score_overall', op: 'gt', value: 5 } }, 'not (Score is more than 5)'],
  [
    {
      and: [
        { or: [noOwner, { field: 'llm_score_overall', op: 'lt', value: 5 }] },
        { not: { or: [noOwner, { field: 'name', op: 'starts_with', value: 'x' }] } },
        { field: 'custom.gone', op: 'in', value: ['z'] },
      ],
    },
    '(Owner is empty or Score is less than 5), not (Owner is empty or Name starts with X), and Gone is Z',
  ],
]

test('filters read like sentences, and the builder writes them as they were', () => {
  for (const [filter, sentence, rewritten = filter] of SENTENCES) {
    assert.equal(describePart(filter, names), sentence)
    assert.deepEqual(filterOf(draftOf(filter, fields), fields), rewritten, sentence)
  }
})

test('the builder leaves out conditions without a value, and empty groups', () => {
  const draft = newGroup([
    newCondition(),
    newGroup([newCondition()], 'or'),
    { ...newCondition(), field: 'country_code' },
    { ...newCondition(), field: 'llm_score_overall', comparison: 'between', value: [1, ''] },
  ])
  assert.equal(filterOf(draft, fields), undefined)
  const filled: DraftGroup = { ...draft, parts: [...draft.parts, ...draftOf(noOwner, fields).parts] }
  assert.deepEqual(filterOf(filled, fields), noOwner)
  const last = filled.parts.at(-1)
  assert.ok(last)
  assert.equal(
    filterOf(
      withDraft(filled, last.id, () => undefined),
      fields,
    ),
    undefined,
  )
})

test('a condition that is added to a choice with "No value" narrows it', () => {
  const either: Filter = { or: [germanyOrFrance, { field: 'country_code', op: 'is_empty' }] }
  const draft = draftOf(either, fields)
  assert.deepEqual(filterOf(draft, fields), either)
  const narrowed = { ...draft, parts: [...draft.parts, ...draftOf(noOwner, fields).parts] }
  assert.deepEqual(filterOf(narrowed, fields), { and: [either, noOwner] })
})

test('the builder allows as many conditions and levels as the service', () => {
  const many = newGroup(Array.from({ length: 50 }, newCondition))
  assert.ok(isAllowedChange(newGroup([]), many))
  assert.ok(!isAllowedChange(many, newGroup([...many.parts, newCondition()])))
  const nest = (levels: number): DraftGroup => newGroup(levels > 1 ? [nest(levels - 1)] : [newCondition()])
  assert.ok(isAllowedChange(nest(2), nest(3)))
  assert.ok(!isAllowedChange(nest(3), nest(4)))
  assert.ok(isAllowedChange(nest(4), nest(4)))
})

test('only well-formed filters can be edited', () => {
  const deep: Filter = { not: { not: { not: { not: { not: noOwner } } } } }
  for (const filter of ['x', 5, null, [], { and: [] }, { or: [null] }, { not: 5 }, deep])
    assert.equal(isWellFormed(filter), false, JSON.stringify(filter))
  for (const [filter] of SENTENCES) assert.ok(isWellFormed(filter))
  assert.equal(describePart({ and: 5 } as unknown as Filter, names), 'Invalid condition')
})

test('a field offers the comparisons that make sense, and keeps the one of the address', () => {
  const created = fields.get('created_at')
  const name = fields.get('name')
  assert.ok(created && name)
  assert.ok(!comparisonsOf(created).some((comparison) => ['next', 'is_empty'].includes(comparison)))
  assert.equal(comparisonsOf(name)[0], 'contains')
  assert.ok(comparisonsOf(name, 'is_empty').includes('is_empty'))
  const last = readCondition({ field: 'created_at', op: 'gte', value: '-2w' }, fields)
  assert.deepEqual(last, { field: 'created_at', comparison: 'last', value: '-2w' })
  assert.ok(last)
  assert.equal(valueFor(last, 'next'), '+2w')
  assert.equal(valueFor(last, 'eq'), undefined)
  assert.equal(valueFor({ ...last, comparison: 'in', value: ['a'] }, 'not_in')?.toString(), 'a')
})
