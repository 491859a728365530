import { useCallback, useRef, useState } from 'react'
import { newIdempotencyKey } from '#src/client/client.ts'
import { isEqual } from '#web/editing/record-changes.ts'
import { useDraft } from '#web/editing/use-draft.ts'
import type { NoteText } from './note-text.ts'

interface StoredDraft {
  text: NoteText
  /** The saved version when editing began, and its time; null for a new note. */
  base: { text: NoteText; updatedAt: string } | null
  /** When it was last changed. */
  at: string
  /** What was last sent, and its idempotency key. */
  attempt: { key: string; text: NoteText } | null
}

const NONE: StoredDraft | null = null
const isStored = (stored: unknown): stored is StoredDraft | null => {
  const { text } = (stored ?? {}) as Partial<StoredDraft>
  return (
    [text?.about, text?.participants, text?.mentions].every(Array.isArray) && typeof text?.body === 'string'
  )
}

/**
 * The draft of a note, stored in this browser per record and user until it is saved or discarded.
 * @param base the saved version, or null for a new note
 */
export function useNoteDraft(key: string, initial: NoteText, base: StoredDraft['base']) {
  const [draft, setDraft, clear] = useDraft(`note:${key}`, NONE, isStored, localStorage)
  // The draft that was found, as opposed to one that was begun here.
  const [foundAt, setFoundAt] = useState(draft?.at ?? null)
  const [start] = useState({ text: initial, base })
  const current = draft ?? { ...start, at: '', attempt: null }
  // Choosing a mention changes the text and the mentions, one after the other.
  const latest = useRef(current)
  latest.current = current
  const store = (change: (draft: StoredDraft) => Partial<StoredDraft>) => {
    latest.current = { ...latest.current, ...change(latest.current), at: new Date().toISOString() }
    setDraft(latest.current)
  }
  const clearDraft = useCallback(() => {
    clear()
    setFoundAt(null)
  }, [clear])
  return {
    text: current.text,
    /** The version that the draft is based on. A draft from before a reload may be based on an older one. */
    base: current.base,
    isChanged: draft !== null && !isEqual(draft.text, start.text),
    foundAt,
    change: (changed: Partial<NoteText>) => store(({ text }) => ({ text: { ...text, ...changed } })),
    addMention: (mention: NoteText['mentions'][number]) =>
      store(({ text }) => ({ text: { ...text, mentions: [...text.mentions, mention] } })),
    rebase: (text: NoteText, newBase: StoredDraft['base']) => store(() => ({ text, base: newBase })),
    clearDraft,
    /** The key to send the text with. The same text has the same key, so that a retry writes one note. */
    keyOf: (text: NoteText): string => {
      const last = latest.current.attempt
      if (last && isEqual(last.text, text)) return last.key
      const attempt = { key: newIdempotencyKey(), text }
      store(() => ({ attempt }))
      return attempt.key
    },
  }
}
