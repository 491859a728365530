import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StageWords } from './stage-words.ts'

const stage = (key: string, label: string, outcome: 'won' | 'lost' | null = null) => ({
  ...{ key, label, outcome, default_probability: null },
})
const CONFIG = {
  stages: [
    stage('initial', 'First look'),
    stage('meeting', 'Meeting'),
    stage('due_diligence', 'Due diligence'),
    stage('term_sheet', 'Term sheet'),
    stage('closed_won', 'Invested', 'won'),
    stage('closed_lost', 'Passt nicht', 'lost'),
  ],
}

test('stages with the key or the label of a configured one are that one', () => {
  const words = new StageWords(CONFIG, {})
  for (const [text, expected] of [
    ['meeting', 'meeting'],
    ['2. Due-Diligence', 'due_diligence'],
    ['FIRST LOOK', 'initial'],
    ['★ Term Sheet', 'term_sheet'],
    ['closedwon', 'closed_won'],
    ['invested', 'closed_won'],
    ['passt  nicht', 'closed_lost'],
  ] as const)
    assert.deepEqual(words.read(text), { value: expected }, text)
  assert.deepEqual(words.report, { stages: [], stages_omitted: 0 })
})

test('other stages are counted, with what they may mean, and imported as chosen or as their word', () => {
  const words = new StageWords(CONFIG, { 'Intro Call': 'meeting', Unused: 'initial' })
  const suggestions = {
    Passed: 'closed_lost',
    'Not interested': 'closed_lost',
    Portfolio: 'closed_won',
    Funded: 'closed_won',
    'Contract sent': 'term_sheet',
    'Partner meeting': 'meeting',
    'Presentation scheduled': 'meeting',
    DD: 'due_diligence',
    'Investment committee': 'due_diligence',
    'New lead': 'initial',
    Sourcing: 'initial',
    Wibble: null,
    Passport: null,
  }
  for (const text of Object.keys(suggestions)) assert.ok(words.read(text).value !== undefined, text)
  assert.deepEqual(words.read('intro call'), { value: 'meeting' })
  assert.deepEqual(words.read('Intro-Call'), { value: 'meeting' })
  assert.match(words.read('!!!').error ?? '', /stage must be a word/)
  const { stages } = words.report
  assert.deepEqual(stages[0], { value: 'intro call', rows: 2, stage: 'meeting', suggestion: 'meeting' })
  assert.deepEqual(stages.at(-1), { value: 'Unused', rows: 0, stage: 'initial', suggestion: null })
  const found = Object.fromEntries(stages.map(({ value, suggestion }) => [value, suggestion]))
  assert.deepEqual({ ...found, ...suggestions }, found)
})
