import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loweredScore, removedQuotes, ruleReason } from './score-sentences.ts'

test('corrections of a score are sentences without names of fields or counters', () => {
  assert.equal(
    removedQuotes('thesis_fit', 1, 3),
    'One of three quotes about thesis fit does not support the score, so it was left out.',
  )
  assert.equal(
    removedQuotes('team', 2, 12),
    'Two of 12 quotes about team do not support the score, so they were left out.',
  )
  assert.equal(
    removedQuotes('team', 2, 2),
    'Neither of the two quotes about team supports the score, so they were left out.',
  )
  assert.equal(
    removedQuotes('market', 1, 1),
    'The quote about market does not support the score, so it was left out.',
  )
  assert.equal(
    loweredScore('business_model', 80, 50),
    'The score for business model was lowered from 80 to 50 because no quote from the record supports it.',
  )
})

test('the reason for a score by rules says what the record says', () => {
  assert.equal(
    ruleReason(['has 84 employees'], ['ten customers', 'live in May']),
    'The company has 84 employees. Its description mentions “ten customers” and “live in May”.',
  )
  assert.equal(ruleReason([], []), 'The record says nothing about this.')
})
