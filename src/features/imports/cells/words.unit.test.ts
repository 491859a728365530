import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBoolean } from './booleans.ts'
import { countryCode } from './country-codes.ts'
import { readUser } from './owners.ts'
import { isPlaceholder } from './placeholders.ts'
import { readStatus } from './statuses.ts'

test('placeholders are blank, unless they may be the content of a field', () => {
  for (const text of [
    '-',
    '–',
    '—',
    '--',
    'N/A',
    'n.a.',
    'none',
    'null',
    'NaN',
    'undisclosed',
    'Unknown',
    '#N/A',
    '#REF!',
    'TBD',
    'k.A.',
    's/o',
    'нет',
    '?',
    '.',
    '…',
  ])
    assert.equal(isPlaceholder(text), true, text)
  for (const text of ['0', 'x', 'Nantes', 'No', 'Noneta', '1']) assert.equal(isPlaceholder(text), false, text)
  for (const text of ['-', 'N/A', 'NULL', '#N/A', 'nan'])
    assert.equal(isPlaceholder(text, 'prose'), true, text)
  for (const text of ['unknown', 'none', 'TBD', '?', '.'])
    assert.equal(isPlaceholder(text, 'prose'), false, text)
  for (const text of ['-', '—', 'N/A', 'none', 'null', '#REF!', 'TBD', '???', '. . .'])
    assert.equal(isPlaceholder(text, 'name'), true, text)
  for (const text of ['Unknown', 'NA', 'Nil', '! LTD', '42', 'Undisclosed'])
    assert.equal(isPlaceholder(text, 'name'), false, text)
  assert.equal(isPlaceholder('Unassigned', 'owner'), true)
})

test('a status of another tool becomes a word', () => {
  for (const [text, status] of [
    ['2. Qualified', 'qualified'],
    ['A. Leads to call', 'leads_to_call'],
    ['03 - Won', 'won'],
    ['(4) In review', 'in_review'],
    ['⭐ Shortlist', 'shortlist'],
    ['🔥Hot', 'hot'],
    ['Lost (price)', 'lost_price'],
    ['Active – Listed', 'active_listed'],
    ['Operating', 'active'],
    ['Closed', 'inactive'],
    ['IPO', 'public'],
    ['M&A', 'acquired'],
    ['Ativo', 'active'],
    ['Größe prüfen', 'grosse_prufen'],
    ['Série A', 'serie_a'],
  ] as const)
    assert.equal(readStatus(text, 'status').value, status, text)
  for (const text of ['В работе', '保留', '75%', '1st', '…', 'x'.repeat(65)])
    assert.match(
      readStatus(text, 'status').error ?? '',
      /word in Latin letters.*New companies get the status active.*import the column to a custom field/,
      text,
    )
})

test('a status that changes beyond case, spaces, and hyphens is noted', () => {
  const note = (text: string) => readStatus(text, 'status').note
  for (const text of ['active', 'Due Diligence', 'DUE-DILIGENCE', ' in_review', 'In  Review'])
    assert.equal(note(text), undefined, text)
  for (const text of ['1. Erstkontakt', '★ Shortlist', 'Lost (price)', 'Série A'])
    assert.equal(note(text), 'The status was shortened to a word.', text)
  assert.equal(note('Operating'), 'The status was stored as active.')
  assert.equal(note('2. Closed'), 'The status was stored as inactive.')
})

const users = {
  emails: new Set(['ada@example.com', 'bob@example.com', 'bo2@example.com']),
  byName: new Map([
    ['ada lovelace', ['ada@example.com']],
    ['bob roe', ['bob@example.com', 'bo2@example.com']],
  ]),
}

test('an owner is an address, also in brackets, or a name that one user has', () => {
  for (const text of [
    'ada@example.com',
    'ADA@Example.com',
    'Ada Lovelace',
    'Ädá  LOVELACE',
    'Lovelace, Ada',
    'Ada Lovelace <ada@example.com>',
    '[ada@example.com](mailto:ada@example.com)',
    'mailto:ada@example.com',
    'Ada L. (ada@example.com)',
  ])
    assert.deepEqual(readUser(text, users, 'owner_email'), { value: 'ada@example.com' }, text)
  for (const [text, error] of [
    ['ada@example.com; bob@example.com', /one user/],
    ['left@example.com', /must be the email address or the name of a user/],
    ['Grace Hopper', /must be the email address or the name of a user/],
    ['Ada Lovelace (Deactivated User)', /must be the email address or the name of a user/],
    ['Bob Roe', /several users have this name/],
    ['x'.repeat(100_000), /must be/],
  ] as const)
    assert.match(readUser(text, users, 'owner_email').error ?? '', error, text.slice(0, 50))
})

test('check marks and yes or no in several languages', () => {
  for (const text of [
    'checked',
    '✓',
    '✔️',
    '☑',
    'x',
    'Yes',
    'wahr',
    'Ja',
    'vrai',
    'oui',
    'sí',
    'sim',
    'prawda',
    'да',
    '1',
    'TRUE',
  ])
    assert.equal(parseBoolean(text), true, text)
  for (const text of [
    'unchecked',
    '✗',
    '☐',
    'No',
    'falsch',
    'nein',
    'faux',
    'não',
    'fałsz',
    'нет',
    '0',
    'FALSE',
  ])
    assert.equal(parseBoolean(text), false, text)
  for (const text of ['maybe', '2', '']) assert.equal(parseBoolean(text), undefined, text)
})

test('countries by code and name, the parts of the United Kingdom included', () => {
  for (const [text, code] of [
    ['de', 'DE'],
    ['RUS', 'RU'],
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['England', 'GB'],
    ['SCOTLAND', 'GB'],
    ['USA', 'US'],
    ['EE.UU.', 'US'],
    ['États-Unis', 'US'],
    ['Alemania', 'DE'],
    ['Niemcy', 'DE'],
    ['Россия', 'RU'],
    ['日本', 'JP'],
    ['NA', 'NA'],
    ['Germany (DE)', 'DE'],
    ['ＤＥ', 'DE'],
    ['Narnia', undefined],
    ['Germany (FR)', undefined],
    ['N/A', undefined],
  ] as const)
    assert.equal(countryCode(text), code, text)
})
