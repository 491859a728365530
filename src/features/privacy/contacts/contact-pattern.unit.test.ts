import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ContactPattern } from './contact-pattern.ts'

const pattern = new ContactPattern({
  names: ['José-María Núñez', 'Li'],
  emails: ['jose+deals@nunez.example'],
  phones: ['+4773590000'],
  links: ['https://www.linkedin.com/in/jose-nunez/'],
})

for (const [text, expected] of [
  ['Met José-María Núñez today.', 'Met [erased contact] today.'],
  ['met jose maria nunez, NÚÑEZ JOSÉ MARÍA', 'met [erased contact], [erased contact]'],
  ['Jose\u0301-María **Núñez**!', '[erased contact]**!'],
  ['Núñez, José María and José Núñez', '[erased contact] and José Núñez'],
  ['Li likes Lisbon, Ali and LI', '[erased contact] likes Lisbon, Ali and [erased contact]'],
  ['<JOSE+deals@nunez.example>, xjose+deals@nunez.example', '<[erased contact]>, xjose+deals@nunez.example'],
  ['mailto:jose%2Bdeals%40nunez.example?x', 'mailto:[erased contact]?x'],
  ['jose+deals@nunez.example.com', 'jose+deals@nunez.example.com'],
  ['+47 73 59 00 00, 0047 73590000, 73.59.00.00', '[erased contact], [erased contact], [erased contact]'],
  ['173590000 and 735900001', '173590000 and 735900001'],
  ['see linkedin.com/in/jose-nunez.', 'see [erased contact].'],
  ['see linkedin.com/in/jose-nunez2', 'see linkedin.com/in/jose-nunez2'],
  ['🦊 ß İ Li', '🦊 ß İ [erased contact]'],
] as const)
  test(`contact details in ${JSON.stringify(text)} are replaced`, () => {
    assert.equal(pattern.replacedIn(text), expected)
  })

test('details in JSON are replaced in texts alone, and a contact without details changes nothing', () => {
  const isText = (field: string, isInText: boolean) => isInText || field === 'body'
  assert.deepEqual(pattern.replacedInValue({ Li: 'Li', body: ['Li', 1, null, { Li: 'Li' }] }, isText), {
    Li: 'Li',
    body: ['[erased contact]', 1, null, { Li: '[erased contact]' }],
  })
  const empty = new ContactPattern({ names: ['!'], emails: [], phones: [], links: [] })
  assert.equal(empty.replacedIn('Anything!'), 'Anything!')
})

test('a name is not replaced in the email address of a user, unless it is that of the contact', () => {
  const users = ['li@team.example', 'li.wei@team.example', 'own@li.example']
  const details = { names: ['Li'], emails: ['own@li.example'], phones: [], links: [] }
  assert.equal(
    new ContactPattern(details, users).replacedIn(
      'Ask LI@team.example. Li <li.wei@team.example>, li@other.example, own@li.example.',
    ),
    'Ask LI@team.example. [erased contact] <li.wei@team.example>, [erased contact]@other.example, [erased contact].',
  )
})
