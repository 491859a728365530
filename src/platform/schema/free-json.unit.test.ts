import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFreeJson } from './free-json.ts'

test('any schema that does not limit its values has free JSON', () => {
  const closed = { type: 'object', additionalProperties: false }
  for (const schema of [
    {},
    { type: 'object' },
    { type: ['array', 'null'] },
    { ...closed, properties: { list: { type: 'array', items: {} } } },
    { ...closed, properties: { either: { anyOf: [{ type: 'null' }, { type: 'object' }] } } },
    { type: 'object', additionalProperties: { type: 'object' } },
    { ...closed, patternProperties: { '^x': {} } },
  ])
    assert.equal(hasFreeJson(schema), true, JSON.stringify(schema))
  for (const schema of [
    closed,
    {
      ...closed,
      properties: { n: { type: ['integer', 'null'] }, old: { readOnly: true }, word: { enum: ['a'] } },
    },
    { type: 'object', additionalProperties: { type: 'string' } },
    { ...closed, patternProperties: { '^x': { type: 'string' } } },
  ])
    assert.equal(hasFreeJson(schema), false, JSON.stringify(schema))
})
