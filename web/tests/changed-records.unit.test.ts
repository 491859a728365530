import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Activity } from '#web/api/service.ts'
import { changedRecords } from '#web/screens/home/changed-records.ts'

let next = 0
const change = (fields: Partial<Activity>): Activity =>
  ({
    ...{ id: `act_${next++}`, activity_type: 'company_updated', entity_type: 'company', action_id: null },
    ...{ entity_id: fields.company_id, ...fields },
  }) as Activity

const summary = (records: Activity[]) =>
  changedRecords(records).map(({ latest, others, earlier }) => [latest.id, others, earlier])

test('changes of a company, its deals, and its notes are one entry', () => {
  const [newest, other, oldest, person] = [
    change({ company_id: 'cmp_1', entity_type: 'dealflow', entity_id: 'df_1', action_id: 'ax_3' }),
    change({ company_id: 'cmp_2' }),
    change({ company_id: 'cmp_1', action_id: 'ax_1' }),
    change({ company_id: null, entity_type: 'person', entity_id: 'per_1' }),
  ] as const
  assert.deepEqual(summary([newest, other, oldest, person]), [
    [newest.id, 0, 1],
    [other.id, 0, 0],
    [person.id, 0, 0],
  ])
})

test('what one action did to many records is one entry, and small actions are not', () => {
  const action_id = 'ax_1'
  const companies = [1, 2, 3, 4].map((n) => change({ company_id: `cmp_${n}`, action_id }))
  assert.deepEqual(summary(companies), [[companies[0]?.id, 3, 0]])
  assert.equal(summary(companies.slice(0, 3)).length, 3)
  const people = [1, 2, 3, 4].map((n) =>
    change({ company_id: null, entity_type: 'person', entity_id: `per_${n}`, action_id }),
  )
  assert.deepEqual(summary(people), [[people[0]?.id, 0, 3]])
})
