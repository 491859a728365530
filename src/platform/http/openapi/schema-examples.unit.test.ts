import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleOf, moveExamplesToSchemas } from './schema-examples.ts'

const record = () => ({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, note: { type: ['string', 'null'] }, kind: { enum: ['a', 'b'] } },
})
const answering = (example: object) => ({
  responses: {
    200: {
      description: '',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Record' }, example } },
    },
  },
})

const ownExamples = (operations: ReturnType<typeof answering>[]) =>
  operations.map(
    ({ responses }) => (responses[200].content['application/json'] as { example?: object }).example,
  )

test('the example of a property is on its schema, and responses that tools assemble from them have none', () => {
  const Record = record()
  const operations = [answering({ id: 'x_1', note: 'First', kind: 'b' })]
  operations.push(...operations.map(() => answering({ id: 'x_1', note: 'First', kind: 'b' })))
  moveExamplesToSchemas(operations, { Record })
  assert.deepEqual(exampleOf(Record), { id: 'x_1', note: 'First', kind: 'b' })
  assert.deepEqual(ownExamples(operations), [undefined, undefined])
})

test('a response that differs from what tools assemble keeps its example, and a value beats null', () => {
  const Record = record()
  const first = { id: 'x_1', note: null, kind: 'a' }
  const second = { id: 'x_1', note: 'Second', kind: 'a' }
  const operations = [answering(first), answering(second)]
  moveExamplesToSchemas(operations, { Record })
  assert.deepEqual(exampleOf(Record), second)
  assert.deepEqual(ownExamples(operations), [first, undefined])
})

test('a response without an optional property keeps its example', () => {
  const operation = answering({ id: 'x_1', kind: 'a' })
  moveExamplesToSchemas([operation], { Record: record() })
  assert.deepEqual(operation.responses[200].content['application/json'].example, { id: 'x_1', kind: 'a' })
})
