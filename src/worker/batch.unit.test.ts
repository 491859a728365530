import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Result } from '#src/client/client.ts'
import { InvalidRequest } from '#src/client/errors.ts'
import { type Ask, type KeptResults, reportResults } from './batch.ts'
import { PostponedWork } from './work.ts'

/** A service that refuses what comes of the company `bad`, and takes nothing while it is away. */
function service() {
  const taken: Result[] = []
  const state = { isAway: false }
  const client = {
    postBulkActionResults: async ({ body: { results } }: { body: { results: Result[] } }) => {
      if (results.some(({ company_id, error }) => company_id === 'bad' && !error))
        throw new InvalidRequest(400, 'Validation failed', 'usage must be …', null)
      taken.push(...results)
      return { data: {} }
    },
  } as unknown as Client
  const ask: Ask = async (question) => {
    if (state.isAway) throw new PostponedWork('away')
    return question(client)
  }
  return { taken, state, ask }
}

test('a result that the service refuses fails its company, and no other', async () => {
  const { taken, ask } = service()
  const results = ['a', 'bad', 'b'].map((company_id): Result => ({ company_id }))
  await reportResults({ id: 'ba_1', kept: new Map(), ask }, results)
  assert.deepEqual(taken, [
    { company_id: 'a' },
    {
      company_id: 'bad',
      error: { kind: 'malformed', message: 'What was made of it was refused: usage must be …' },
    },
    { company_id: 'b' },
  ])
})

test('results that cannot be handed in are kept', async () => {
  const { state, ask } = service()
  const kept: KeptResults = new Map()
  state.isAway = true
  await assert.rejects(reportResults({ id: 'ba_1', kept, ask }, [{ company_id: 'a' }]), PostponedWork)
  assert.deepEqual([...kept], [['ba_1 a', { company_id: 'a' }]])
})
