import { MAX_PERSON_NAME_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/people.ts'
import type { Person, PersonPatch } from '#web/api/service.ts'
import type { RecordField } from '#web/editing/editable-record-field.tsx'
import { withProtocol } from '#web/format/web-address.ts'

type PersonField = RecordField<Person, PersonPatch>
type ListKey = 'emails' | 'phones' | 'links'

/** Lists have a line for each value. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const listField = (key: ListKey, label: string, toValue = (line: string) => line): PersonField => ({
  label,
  editor: { kind: 'multiline', rows: 2, description: strings.onePerLine },
  read: (person) => person[key].join('\n'),
  changes: (text) => ({ [key]: linesOf(text).map(toValue) }),
  explain: (message) =>
    message.replace(/^\w+\[(\d+)\]/, (_name, index: string) => strings.line(Number(index) + 1)),
})

const textField = (key: 'headline' | 'location', label: string, maxLength: number): PersonField => ({
  label,
  editor: { kind: 'text', maxLength },
  read: (person) => person[key] ?? '',
  changes: (text) => ({ [key]: text === '' ? null : text }),
})

export const FIELDS = {
  name: {
    label: strings.name,
    editor: { kind: 'text', maxLength: MAX_PERSON_NAME_LENGTH },
    read: ({ name }) => name,
    changes: (name) => ({ name }),
    check: (text) => (text === '' ? strings.nameRequired : null),
  },
  headline: textField('headline', strings.headline, 300),
  location: textField('location', strings.location, 200),
  emails: listField('emails', strings.emails),
  phones: listField('phones', strings.phones),
  links: listField('links', strings.links, withProtocol),
} satisfies Record<string, PersonField>
