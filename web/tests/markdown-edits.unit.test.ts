import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  continueLine,
  type Edit,
  link,
  mentionBefore,
  pasteOver,
  type Selected,
  toggleList,
  wrap,
} from '#web/notes/form/editor/markdown-edits.ts'

/** A text in which [ and ] mark the selection, or | the caret. */
function selected(marked: string): Selected {
  const at = marked.indexOf('|')
  if (at >= 0) return { value: marked.replace('|', ''), start: at, end: at }
  const start = marked.indexOf('⟦')
  return { value: marked.replace(/[⟦⟧]/g, ''), start, end: marked.indexOf('⟧') - 1 }
}

/** The text after an edit, marked in the same way. */
function after(from: string, edit: (text: Selected) => Edit | null): string | null {
  const { value, ...selection } = selected(from)
  const made = edit({ value, ...selection })
  if (!made) return null
  const text = value.slice(0, made.start) + made.text + value.slice(made.end)
  const [start, end] = made.select
  if (start === end) return `${text.slice(0, start)}|${text.slice(start)}`
  return `${text.slice(0, start)}⟦${text.slice(start, end)}⟧${text.slice(end)}`
}

test('bold and italic go around the selection, and off again', () => {
  const bold = (text: Selected) => wrap(text, '**')
  const italic = (text: Selected) => wrap(text, '*')
  assert.equal(after('a ⟦b⟧ c', bold), 'a **⟦b⟧** c')
  assert.equal(after('a **⟦b⟧** c', bold), 'a ⟦b⟧ c')
  assert.equal(after('a | c', bold), 'a **|** c')
  assert.equal(after('**⟦b⟧**', italic), '***⟦b⟧***')
  assert.equal(after('***⟦b⟧***', italic), '**⟦b⟧**')
})

test('a link selects what is still to be typed', () => {
  assert.equal(after('see ⟦the deck⟧', link), 'see [the deck](⟦https://⟧)')
  assert.equal(after('see ⟦https://x.example⟧', link), 'see [|](https://x.example)')
  assert.equal(after('see |', link), 'see [|](https://)')
  const paste = (pasted: string) => (text: Selected) => pasteOver(text, pasted)
  assert.equal(after('see ⟦the deck⟧', paste('https://x.example/a')), 'see [the deck](https://x.example/a)|')
  assert.equal(after('see ⟦the deck⟧', paste('some text')), null)
  assert.equal(after('see |', paste('https://x.example')), null)
})

test('Enter continues lists, numbers, tasks and quotations, and ends them after an empty item', () => {
  assert.equal(after('- a|', continueLine), '- a\n- |')
  assert.equal(after('  * a|b', continueLine), '  * a\n  * |b')
  assert.equal(after('9. a|', continueLine), '9. a\n10. |')
  assert.equal(after('- [x] a|', continueLine), '- [x] a\n- [ ] |')
  assert.equal(after('> a|', continueLine), '> a\n> |')
  assert.equal(after('> - a|', continueLine), '> - a\n> - |')
  assert.equal(after('- a\n- |', continueLine), '- a\n\n|')
  assert.equal(after('- a\n- [ ] |', continueLine), '- a\n\n|')
  assert.equal(after('plain|', continueLine), null)
  assert.equal(after('-|', continueLine), null)
})

test('lines become list items, and list items become lines', () => {
  assert.equal(after('x\n⟦a\nb⟧\ny', toggleList), 'x\n⟦- a\n- b⟧\ny')
  assert.equal(after('⟦- a\n- b⟧', toggleList), '⟦a\nb⟧')
  assert.equal(after('a|b', toggleList), '- ab|')
})

test('a mention begins with @ at the start of a word', () => {
  assert.deepEqual(mentionBefore(selected('Ask @be|')), { from: 4, query: 'be' })
  assert.deepEqual(mentionBefore(selected('@|')), { from: 0, query: '' })
  assert.deepEqual(mentionBefore(selected('(@Zoë|')), { from: 1, query: 'Zoë' })
  assert.equal(mentionBefore(selected('ada@example|')), null)
  assert.equal(mentionBefore(selected('@Ada Beck|')), null)
})
