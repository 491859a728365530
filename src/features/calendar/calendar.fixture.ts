import assert from 'node:assert/strict'

/** A property of an iCalendar file: its parameters and its value, without escapes. */
interface Property {
  parameters: Record<string, string>
  value: string
}

/** A component, such as an event, by the names of its properties. */
export type Component = Record<string, Property>

const MAX_LINE_BYTES = 75
const LINE = /^([A-Z-]+)((?:;[A-Z-]+=[^";:,]+)*):(.*)$/s
const ESCAPES: Record<string, string> = { '\\\\': '\\', '\\;': ';', '\\,': ',', '\\n': '\n', '\\N': '\n' }

/** Parses an iCalendar file strictly (RFC 5545). Fails with the reason if it is wrong. */
export function parseCalendar(file: string): { calendar: Component; events: Component[] } {
  assert.ok(file.endsWith('\r\n') && !/[^\r]\n|\r[^\n]/.test(file), 'lines must end with CRLF')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(file, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/, 'no control characters')
  for (const line of file.split('\r\n'))
    assert.ok(Buffer.byteLength(line) <= MAX_LINE_BYTES, `a line must be folded: ${line}`)
  assert.doesNotMatch(file, /\uFFFD/, 'no character is cut by folding')
  const lines = file.slice(0, -2).replaceAll('\r\n ', '').split('\r\n')
  assert.deepEqual([lines.shift(), lines.pop()], ['BEGIN:VCALENDAR', 'END:VCALENDAR'])
  const calendar: Component = {}
  const events: Component[] = []
  let open: Component | undefined
  for (const line of lines) {
    const [, name = '', parameters = '', text = ''] =
      LINE.exec(line) ?? assert.fail(`not a property: ${line}`)
    if (line === 'BEGIN:VEVENT') {
      assert.equal(open, undefined, 'events are not nested')
      open = {}
      events.push(open)
    } else if (line === 'END:VEVENT') {
      for (const required of ['UID', 'DTSTAMP', 'DTSTART', 'SUMMARY'])
        assert.ok(open?.[required], `an event needs ${required}`)
      open = undefined
    } else {
      assert.ok(name !== 'BEGIN' && name !== 'END', line)
      const component = open ?? calendar
      assert.equal(component[name], undefined, `${name} appears twice`)
      component[name] = { parameters: parametersOf(parameters), value: unescaped(name, text) }
    }
  }
  assert.equal(open, undefined, 'every event ends')
  assert.equal(calendar.VERSION?.value, '2.0')
  assert.ok(calendar.PRODID?.value)
  assert.equal(new Set(events.map(({ UID }) => UID?.value)).size, events.length, 'each UID appears once')
  return { calendar, events }
}

const parametersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(';')
      .filter(Boolean)
      .map((parameter) => parameter.split('=') as [string, string]),
  )

const TEXTS = ['SUMMARY', 'DESCRIPTION', 'NAME', 'X-WR-CALNAME']

function unescaped(name: string, text: string): string {
  if (!TEXTS.includes(name)) return text
  assert.doesNotMatch(text.replaceAll(/\\[\\;,nN]/g, ''), /[\\;,]/, `${name} must be escaped: ${text}`)
  return text.replaceAll(/\\[\\;,nN]/g, (escaped) => ESCAPES[escaped] as string)
}
