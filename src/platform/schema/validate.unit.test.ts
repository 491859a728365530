import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { FilterSchema } from '#src/platform/filter/schema.ts'
import { compileValidator } from './validate.ts'

const validate = compileValidator(Type.Object({ filter: Type.Optional(FilterSchema) }))
const KNOWN = 'field, op, value, and, or, not'

/** An object with many properties, none of which may be read. */
const unread = (amount: number): object =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      Array.from({ length: amount }, (_, n) => [
        `key${n}`,
        { enumerable: true, get: () => assert.fail(`key${n} was read`) },
      ]),
    ),
  )

test('an object of a filter with many properties is refused before any of them is read', () => {
  for (const amount of [7, 10_000]) {
    assert.equal(validate({ filter: unread(amount) }), `filter must have only ${KNOWN}.`)
    assert.equal(
      validate({ filter: { and: [{ field: 'name', op: 'eq', value: unread(amount) }] } }),
      `filter.and[0].value must have only ${KNOWN}.`,
    )
  }
})

test('other objects of a filter are left to its parser', () => {
  const leaf = { field: 'name', op: 'eq', value: 'x', extra: 1 }
  assert.equal(validate({ filter: { or: [leaf] } }), undefined)
})
