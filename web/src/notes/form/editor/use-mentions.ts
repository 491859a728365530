import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { foldText } from '#src/client/limits.ts'
import { queries } from '#web/api/queries.ts'
import { isPersonMatching, personOptions } from '#web/fields/people.ts'
import { applyEdit, mentionBefore, type Selected } from './markdown-edits.ts'

const MAX_SHOWN = 6

export interface Mention {
  email: string
  /** As it is in the text. */
  text: string
}

export const selectedIn = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Selected => ({
  value,
  start: selectionStart,
  end: selectionEnd,
})

/**
 * The users to mention while `@` and a part of a name is before the caret.
 * @param mentionable the only addresses to offer, if not all users can be mentioned
 */
export function useMentions(
  field: RefObject<HTMLTextAreaElement | null>,
  addMention: (mention: Mention) => void,
  mentionable: readonly string[] | undefined,
) {
  const id = useId()
  const users = useQuery(queries.allUsers())
  const { data: me } = useQuery(queries.me())
  const [typed, setTyped] = useState<{ from: number; query: string } | null>(null)
  const [marked, setMarked] = useState(0)
  const query = typed && foldText(typed.query)
  const found =
    query === null
      ? []
      : personOptions(users.data ?? [], undefined, null)
          .filter(
            (person) =>
              person.value !== me?.email &&
              (mentionable?.includes(person.value) ?? true) &&
              isPersonMatching(person, query),
          )
          .slice(0, MAX_SHOWN)
  const at = Math.min(marked, found.length - 1)
  /** Looks for a mention after each key and click. */
  const look = () => {
    const before = field.current && mentionBefore(selectedIn(field.current))
    if (before?.query !== typed?.query || before?.from !== typed?.from) setMarked(0)
    setTyped(before)
  }
  const close = () => setTyped(null)
  const choose = (email: string) => {
    const person = found.find(({ value }) => value === email)
    if (!person || !typed || !field.current) return
    const text = `@${person.label}`
    const end = field.current.selectionStart
    const after = typed.from + text.length + 1
    applyEdit(field.current, { start: typed.from, end, text: `${text} `, select: [after, after] })
    addMention({ email, text })
    close()
  }
  /** @returns whether the list has used the key */
  const press = (event: KeyboardEvent): boolean => {
    const person = found[at]
    if (!person) return false
    if (event.key === 'ArrowDown') setMarked((at + 1) % found.length)
    else if (event.key === 'ArrowUp') setMarked((at + found.length - 1) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(person.value)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const optionId = (index: number) => `${id}-${index}`
  const fieldProps =
    found.length > 0
      ? {
          'aria-autocomplete': 'list' as const,
          'aria-controls': id,
          'aria-activedescendant': optionId(at),
          // The dialog leaves Escape to the list.
          'data-mantine-stop-propagation': 'true',
        }
      : {}
  return { id, found, marked: at, look, close, choose, press, optionId, fieldProps }
}
