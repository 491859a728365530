import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePeople } from './people.ts'
import { allowedTags, tagsIn } from './tags.ts'
import { parseList } from './value-list.ts'

test('the same values in each notation of lists', () => {
  for (const text of [
    '["Robotics","B2B"]',
    "['Robotics', 'B2B']",
    "[u'Robotics', u'B2B', None]",
    "('Robotics', 'B2B')",
    "{'Robotics', 'B2B'}",
    '{Robotics,B2B}',
    '{"Robotics",B2B}',
    '[Robotics, B2B]',
    '[{"id": 1, "name": "Robotics"}, {"id": 2, "name": "B2B"}]',
    'Robotics|B2B',
    'Robotics || B2B',
    'Robotics; B2B;',
    'Robotics;#B2B',
    '12;#Robotics;#14;#B2B',
    'Robotics\nB2B',
    'Robotics\r\n\r\nB2B',
    'Robotics, B2B',
    'Robotics， B2B',
    'Robotics、B2B',
    '"Robotics",B2B',
    'Robotics, robotics, ROBOTICS, B2B, N/A',
  ])
    assert.deepEqual(parseList(text), ['Robotics', 'B2B'], text)
})

test('commas separate only without a stronger sign, and not within quotes', () => {
  assert.deepEqual(parseList('"Food, Beverage",Retail'), ['Food, Beverage', 'Retail'])
  assert.deepEqual(parseList('"Food, Beverage"'), ['Food, Beverage'])
  assert.deepEqual(parseList('Food, Beverage; Retail'), ['Food, Beverage', 'Retail'])
  assert.deepEqual(parseList('"a ""b"" c", d'), ['a "b" c', 'd'])
  assert.deepEqual(parseList('12" screens, tools'), ['12" screens', 'tools'])
  assert.deepEqual(parseList('"open, end'), ['"open', 'end'])
  assert.deepEqual(parseList("['it\\'s', \"a, b\"]"), ["it's", 'a, b'])
  assert.deepEqual(parseList('[stealth] robots'), ['[stealth] robots'])
})

test('an object and a text that is too long are no list', () => {
  assert.equal(parseList('{"a": 1}'), undefined)
  assert.equal(parseList('[[1]]'), undefined)
  assert.equal(parseList('x,'.repeat(100_000)), undefined)
})

test('any values come back from JSON, quotes, and bars', () => {
  const value = fc.stringMatching(/^[A-Za-z0-9ß&./ -]{0,10}[A-Za-z]$/).map((text) => text.trim())
  const values = fc.uniqueArray(value, { minLength: 1, maxLength: 8, selector: (text) => text.toLowerCase() })
  fc.assert(
    fc.property(values, (input) => {
      const kept = input.filter((text) => !/^(?:nan|null|n\/a)$/i.test(text))
      assert.deepEqual(parseList(JSON.stringify(input)), kept)
      assert.deepEqual(parseList(input.map((text) => `"${text}"`).join(', ')), kept)
      assert.deepEqual(parseList(`${input.join('|')}|`), kept)
      assert.deepEqual(parseList(`[${input.map((text) => `'${text}'`).join(', ')}]`), kept)
    }),
  )
})

test('hostile lists take linear time', () => {
  const start = performance.now()
  for (const part of ['"', "'", '[', ' ', ',', '\\', '"",', ',"', "u'", '{'])
    for (const [before, after] of [
      ['', ''],
      ['[', ']'],
      ['{', '}'],
      ['"', ''],
    ])
      parseList(before + part.repeat(Math.floor(60_000 / part.length)) + after)
  assert.ok(performance.now() - start < 2000)
})

test('hash signs and ids of other tools are no part of tags', () => {
  assert.deepEqual(tagsIn('Robotics;#B2B'), ['Robotics', 'B2B'])
  assert.deepEqual(tagsIn('12;#Robotics;#14;#B2B'), ['Robotics', 'B2B'])
  assert.deepEqual(tagsIn('#Robotics #B2B'), ['Robotics', 'B2B'])
  assert.deepEqual(tagsIn('#Robotics, #B2B'), ['Robotics', 'B2B'])
  assert.deepEqual(tagsIn('C#, F#'), ['C#', 'F#'])
})

test('a tag that a company cannot have costs itself alone', () => {
  const long = 'x'.repeat(65)
  const { tags, errors } = allowedTags(['B2B', long, 'b2b', ' Hard  Tech '])
  assert.deepEqual(tags, ['B2B', 'Hard Tech'])
  assert.match(errors.join(), /up to 64 characters/)
  const many = allowedTags(Array.from({ length: 60 }, (_value, n) => `tag ${n}`))
  assert.equal(many.tags.length, 50)
  assert.match(many.errors.join(), /up to 50 tags/)
})

const names = (text: string) => parsePeople(text) as { name: string }[]

test('people in one cell', () => {
  for (const [text, people] of [
    ['Roe, Jane; Doe, John', ['Roe, Jane', 'Doe, John']],
    ['Jane Roe, John Doe', ['Jane Roe', 'John Doe']],
    ['Roe, Jane', ['Roe, Jane']],
    ['Madonna, Prince, Cher', ['Madonna', 'Prince', 'Cher']],
    ['Sammy Roe, Jr., Ann Poe, PhD', ['Sammy Roe, Jr.', 'Ann Poe, PhD']],
    ['Jane Roe|John Doe', ['Jane Roe', 'John Doe']],
    ["['Jane Roe', 'John Doe']", ['Jane Roe', 'John Doe']],
    ['Jane Roe\nJohn Doe', ['Jane Roe', 'John Doe']],
  ] as const)
    assert.deepEqual(
      names(text).map(({ name }) => name),
      people,
      text,
    )
  assert.deepEqual(names('Jane Roe (CEO, founder), John Doe'), [
    { name: 'Jane Roe', title: 'CEO, founder' },
    { name: 'John Doe' },
  ])
  assert.deepEqual(names('[{"name": "Jane Roe", "title": "CEO"}, "Ola"]'), [
    { name: 'Jane Roe', title: 'CEO' },
    'Ola',
  ])
})
