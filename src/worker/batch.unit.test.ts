import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Result } from '#src/client/client.ts'
import { InvalidRequest } from '#src/client/errors.ts'
import { reportResults, type ServiceCall, type UnsentResults } from './batch.ts'
import { PostponedWork } from './work.ts'

/** A service that rejects results for the company `bad`, and accepts nothing while it is down. */
function service() {
  const accepted: Result[] = []
  const state = { isDown: false }
  const client = {
    postBulkActionResults: async ({ body: { results } }: { body: { results: Result[] } }) => {
      if (results.some(({ company_id, error }) => company_id === 'bad' && !error))
        throw new InvalidRequest(400, 'Validation failed', 'usage must be …', null)
      accepted.push(...results)
      return { data: {} }
    },
  } as unknown as Client
  const callService: ServiceCall = async (request) => {
    if (state.isDown) throw new PostponedWork('down')
    return request(client)
  }
  return { accepted, state, callService }
}

test('a result that the service rejects fails only its company', async () => {
  const { accepted, callService } = service()
  const results = ['a', 'bad', 'b'].map((company_id): Result => ({ company_id }))
  await reportResults({ id: 'ba_1', attempt: 1, unsent: new Map(), callService }, results)
  assert.deepEqual(accepted, [
    { company_id: 'a' },
    {
      company_id: 'bad',
      error: { kind: 'malformed', message: 'The service rejected the result: usage must be …' },
    },
    { company_id: 'b' },
  ])
})

test('results that cannot be submitted are kept', async () => {
  const { state, callService } = service()
  const unsent: UnsentResults = new Map()
  state.isDown = true
  await assert.rejects(
    reportResults({ id: 'ba_1', attempt: 1, unsent, callService }, [{ company_id: 'a' }]),
    PostponedWork,
  )
  assert.deepEqual([...unsent], [['ba_1 a', { company_id: 'a' }]])
})
