import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThesisMatch } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import {
  byModel,
  createCompany,
  createThesis,
  detail,
  endpoint,
  judge,
  recordIn,
  run,
  startBeforeTests,
} from './language-models.fixture.ts'

startBeforeTests()

const SCORES: Record<string, number> = { Alfa: 60, Bravo: 90, Charlie: 90, Echo: 95, Foxtrot: 70 }

/** Companies that fit a thesis equally, all but Delta scored. Echo is linked to another thesis. */
async function scored() {
  endpoint.answer = (request) =>
    judge(request).replaceAll('"score":80', `"score":${SCORES[recordIn(request).name]}`)
  const thesis = await createThesis(byModel, 'LOOMS', { title: 'Looms for mills' })
  const other = await createThesis(byModel, 'OTHER')
  const ids: Record<string, string> = {}
  for (const name of ['Alfa', 'Bravo', 'Charlie', 'Delta', 'Echo', 'Foxtrot'])
    ids[name] = await createCompany(byModel, {
      name,
      activity_description: 'Looms for mills.',
      thesis_id: name === 'Echo' ? other : null,
    })
  const chosen = Object.keys(SCORES).map((name) => ids[name] ?? '')
  const action = await run(byModel, 'llm_score', chosen, { thesis_id: thesis, token_budget: 1000 })
  assert.equal(action.processed_companies, 5)
  const change = async (name: string, fields: object) => {
    const { status } = await byModel.call('PATCH', `/api/companies/${ids[name]}`, fields)
    assert.equal(status, 200)
  }
  const matches = async (query: string): Promise<ThesisMatch[]> => {
    const { status, body } = await byModel.call('GET', `/api/theses/${thesis}/matches?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  await eventually(async () => assert.equal((await matches('')).length, 6))
  return { thesis, ids, change, matches }
}

const namesOf = (matches: ThesisMatch[]) => matches.map(({ name }) => name)

test('matches are ranked by their scores for the thesis, and the others after them by match', async () => {
  const { thesis, ids, change, matches } = await scored()
  await change('Foxtrot', { llm_score_overall: 99 })
  const byMatch = namesOf(await matches('sort=match'))
  assert.deepEqual(namesOf(await matches('')), byMatch)
  const among = (names: string[]) => byMatch.filter((name) => names.includes(name))
  const expected = [...among(['Bravo', 'Charlie']), 'Alfa', ...among(['Delta', 'Echo', 'Foxtrot'])]
  const ranked = await matches('sort=score')
  assert.deepEqual(namesOf(ranked), expected)
  const pages = await Promise.all([0, 2, 4].map((offset) => matches(`sort=score&limit=2&offset=${offset}`)))
  assert.deepEqual(pages.flat(), ranked)

  const scoreOf = (name: string, among = ranked) => among.find((match) => match.name === name)?.thesis_score
  const { scored_at } = (await detail(byModel, ids.Bravo ?? '')).company.llm_score_details
  const score = { overall: 90, model: 'small', scored_at, is_outdated: false }
  assert.deepEqual(scoreOf('Bravo'), score)
  // Echo has a score for its own thesis, Foxtrot one that a person has entered.
  assert.deepEqual([scoreOf('Delta'), scoreOf('Echo'), scoreOf('Foxtrot')], [null, null, null])

  for (const llm_score_details of [
    { overall: 50, thesis: 'LOOMS' },
    { overall: 50, thesis: [thesis], model: 'small', scored_at },
    { overall: 50, thesis: { id: thesis }, model: 'small', scored_at: 'soon' },
    { overall: 50, thesis: { id: thesis }, scored_at },
    null,
  ]) {
    await change('Delta', { llm_score_overall: 50, llm_score_details })
    assert.equal(scoreOf('Delta', await matches('sort=score')), null)
  }
  const unknown = await byModel.call('GET', `/api/theses/${thesis}/matches?sort=name`)
  assert.deepEqual(
    [unknown.status, unknown.body.details],
    [400, 'sort must be one of match, score, not "name".'],
  )
})

test('a score is outdated once the texts of the thesis have changed, until the company is scored again', async () => {
  const thesis = await createThesis(byModel, 'KILNS', { title: 'Kilns for potteries' })
  const company_id = await createCompany(byModel, {
    name: 'Kilnworks',
    activity_description: 'Kilns for potteries.',
  })
  const scoreIt = () => run(byModel, 'llm_score', [company_id], { thesis_id: thesis })
  const isOutdated = async () => {
    const { body } = await byModel.call('GET', `/api/theses/${thesis}/matches`)
    return body.data.find(({ id }: ThesisMatch) => id === company_id)?.thesis_score?.is_outdated
  }
  const changeThesis = async (fields: object) => {
    const { status } = await byModel.call('PATCH', `/api/theses/${thesis}`, fields)
    assert.equal(status, 200)
  }
  await scoreIt()
  await eventually(async () => assert.equal(await isOutdated(), false))

  const criteria = [{ text: 'Looms', weight: 1, kind: 'nice', negative: false }]
  await changeThesis({ status: 'archived', criteria })
  assert.equal(await isOutdated(), false)
  await changeThesis({ summary: 'Wages rise.' })
  assert.equal(await isOutdated(), true)
  await scoreIt()
  assert.equal(await isOutdated(), false)

  // A score from before the hash was stored has only the version.
  const { llm_score_details } = (await detail(byModel, company_id)).company
  const { text_hash, ...versioned } = llm_score_details.thesis
  assert.ok(text_hash)
  await byModel.call('PATCH', `/api/companies/${company_id}`, {
    llm_score_details: { ...llm_score_details, thesis: versioned },
  })
  assert.equal(await isOutdated(), false)
  await changeThesis({ status: 'active' })
  assert.equal(await isOutdated(), true)
})
