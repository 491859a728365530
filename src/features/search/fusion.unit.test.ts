import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentWeights, wordsOf } from '#src/platform/lexical.ts'
import { INVENTED_COMPANIES } from '../../../bench/evaluation/invented-companies.ts'
import { countSupported, fuse, nearestOf } from './fusion.ts'
import type { Scores } from './scores.ts'

const scores = (...rows: [id: string, words: number, cosine: number | null][]): Scores[] =>
  rows.map(([id, words, cosine]) => ({ id, words, cosine }))
const idsOf = (ranked: { id: string }[]) => ranked.map(({ id }) => id).join('')

test('a company that both scores support comes first', () => {
  const ranked = fuse(scores(['a', 9, 0.3], ['b', 8, 0.8], ['c', 0, 0.9], ['d', 1, 0.2]), {
    vectorWeight: 0.4,
    maxScore: 10,
  })
  assert.equal(idsOf(ranked), 'bacd')
  for (const { similarity, shares } of ranked) {
    assert.ok(similarity > 0 && similarity <= 1)
    assert.ok(Math.abs(shares.words + shares.meaning - 1) < 1e-9)
  }
  assert.deepEqual(ranked[2]?.shares, { words: 0, meaning: 1 })
})

test('the scale of the cosines does not matter, only their order and distances', () => {
  const wide = scores(['a', 5, 0.1], ['b', 4, 0.5], ['c', 1, 0.9], ['d', 0, 0.3])
  const narrow = wide.map((company) => ({ ...company, cosine: 0.8 + (company.cosine ?? 0) / 10 }))
  const options = { vectorWeight: 0.5, maxScore: 8 }
  assert.equal(idsOf(fuse(wide, options)), idsOf(fuse(narrow, options)))
})

test('the weights 0 and 1 are the rankings by one score', () => {
  const companies = scores(['a', 3, 0.1], ['b', 2, 0.9], ['c', 1, 0.5])
  assert.equal(idsOf(fuse(companies, { vectorWeight: 0, maxScore: 5 })), 'abc')
  assert.equal(idsOf(fuse(companies, { vectorWeight: 1, maxScore: 5 })), 'bca')
})

test('a company without a vector counts as average there, and no score is not a number', () => {
  const options = { vectorWeight: 0.4, maxScore: 10 }
  assert.equal(idsOf(fuse(scores(['a', 5, 0.2], ['b', 5, null], ['c', 5, 0.8]), options)), 'cba')
  for (const companies of [scores(['a', 0, null]), scores(['a', 0, 0]), scores(['a', 10, 1]), []])
    for (const maxScore of [0, 10])
      for (const { similarity } of fuse(companies, { vectorWeight: 0.4, maxScore }))
        assert.ok(similarity >= 0 && similarity <= 1, `${similarity}`)
})

test('one common word does not decide when no company has the important ones', () => {
  const companies = scores(['a', 0.4, 0.3], ['b', 0, 0.7], ['c', 0, 0.4], ['d', 0, 0.35])
  assert.equal(fuse(companies, { vectorWeight: 0.4, maxScore: 20 })[0]?.id, 'b')
})

test('a company that one score alone finds is not buried by those that both find a little', () => {
  const companies = scores(
    ['m', 0, 0.7],
    ...Array.from({ length: 30 }, (_, n): [string, number, number] => [`w${n}`, 6 + n / 10, 0.42]),
    ...Array.from({ length: 60 }, (_, n): [string, number, number] => [`n${n}`, 0, 0.4]),
  )
  assert.equal(fuse(companies, { vectorWeight: 0.45, maxScore: 40 })[0]?.id, 'm')
})

test('a score of 0 has no share, and cosines that are almost equal give numbers', () => {
  const companies = scores(['a', 0, 0.5], ['b', 5, 0], ['c', 5, 0.5000001], ['d', 0, 0])
  const shares = new Map(
    fuse(companies, { vectorWeight: 0.45, maxScore: 10 }).map((company) => [company.id, company.shares]),
  )
  assert.deepEqual(shares.get('a'), { words: 0, meaning: 1 })
  assert.deepEqual(shares.get('b'), { words: 1, meaning: 0 })
  assert.deepEqual(shares.get('d'), { words: 0, meaning: 0 })
  for (const { similarity } of fuse(scores(['a', 1, 0.8], ['b', 0, 0.8 + 1e-12]), {
    vectorWeight: 0.45,
    maxScore: 10,
  }))
    assert.ok(similarity >= 0 && similarity <= 1, `${similarity}`)
})

test('the nearest companies are those with the highest cosines above the floor', () => {
  const companies = scores(['a', 9, 0.2], ['b', 0, 0.5], ['c', 0, 0.4], ['d', 0, null], ['e', 0, 0.3])
  assert.deepEqual([...nearestOf(companies, 2, 0.3)], ['b', 'c'])
  assert.deepEqual([...nearestOf(companies, 9, 0.3)], ['b', 'c', 'e'])
  // Without a known floor, half of the highest cosine.
  assert.deepEqual([...nearestOf(companies, 9, 0)], ['b', 'c', 'e'])
  assert.deepEqual([...nearestOf([], 9, 0)], [])
})

test('results much worse than the best one are not supported', () => {
  const ranked = (...similarities: number[]) =>
    similarities.map((similarity) => ({ id: '', similarity, shares: { words: 1, meaning: 0 } }))
  assert.equal(countSupported(ranked(0.8, 0.4, 0.39, 0), 0.5), 2)
  assert.equal(countSupported(ranked(0), 0.5), 0)
  assert.equal(countSupported([], 0.5), 0)
})

test('the questions of the evaluation share no word with their answers', () => {
  const questions = INVENTED_COMPANIES.filter(({ question }) => question)
  assert.equal(questions.length, 60)
  for (const { name, description, question = '' } of questions) {
    const words = documentWeights(`${name}\n${description}`)
    const shared = wordsOf(question).filter(({ dimension }) => words.has(dimension))
    assert.deepEqual(shared, [], question)
  }
})
