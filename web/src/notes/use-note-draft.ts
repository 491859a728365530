import { useCallback, useRef, useState } from 'react'
import { newIdempotencyKey } from '#src/client/client.ts'
import { NOTE_KINDS } from '#src/client/limits.ts'
import { isEqual } from '#web/editing/record-changes.ts'
import { moveDraft, useDraft, useStoredDrafts } from '#web/editing/use-draft.ts'
import { isEmptyText, type NoteKind, type NoteText } from './note-text.ts'

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

/** Where the draft of a new note is stored. */
export const newNoteKey = (recordId: string, kind: NoteKind): string => `new:${recordId}:${kind}`

/** The kinds of new notes about a record of which there is a draft, with the minute of its last change. */
export function useNewNoteDrafts(recordId: string): { kind: NoteKind; at: string }[] {
  const found = useStoredDrafts((read) =>
    NOTE_KINDS.flatMap((kind) => {
      const draft = read(`note:${newNoteKey(recordId, kind)}`)
      return isStored(draft) && draft && !isEmptyText(draft.text) ? `${kind} ${draft.at.slice(0, 16)}Z` : []
    }).join(),
  )
  return (found === '' ? [] : found.split(',')).map((one) => {
    const [kind, at] = one.split(' ') as [NoteKind, string]
    return { kind, at }
  })
}

/**
 * The draft of a note, stored in this browser per user and key until it is saved or discarded.
 * @param keyOfKind the key for a kind of note: a draft moves when its kind changes
 * @param base the saved version, or null for a new note
 */
export function useNoteDraft(
  keyOfKind: (kind: NoteKind) => string,
  initial: NoteText,
  base: StoredDraft['base'],
) {
  const [kind, setKind] = useState(initial.kind)
  const keyOf = (one: NoteKind) => `note:${keyOfKind(one)}`
  const [draft, setDraft, clear] = useDraft(keyOf(kind), NONE, isStored, localStorage)
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
    setKind(start.text.kind)
    setFoundAt(null)
  }, [clear, start])
  return {
    text: current.text,
    /** The version that the draft is based on. A draft from before a reload may be based on an older one. */
    base: current.base,
    isChanged: draft !== null && !isEqual(draft.text, start.text),
    foundAt,
    change: (changed: Partial<NoteText>) => store(({ text }) => ({ text: { ...text, ...changed } })),
    changeKind: (next: NoteKind) => {
      store(({ text }) => ({ text: { ...text, kind: next } }))
      if (moveDraft(keyOf(kind), keyOf(next))) setKind(next)
    },
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
