import type { Client } from '#src/client/client.ts'
import type { NOTE_KINDS } from '#src/client/limits.ts'
import { strings } from '#strings/notes.ts'
import type { Note, User } from '#web/api/service.ts'
import { changedFields, pick } from '#web/editing/record-changes.ts'
import { personName } from '#web/fields/people.ts'

export type NoteKind = (typeof NOTE_KINDS)[number]
export type AboutEntry = Note['about'][number]
export type Participant = Note['participants'][number]
type NewNote = Parameters<Client['createNote']>[0]['body']

/** The form of a note. */
export interface NoteText {
  kind: NoteKind
  title: string
  body: string
  /** null: when it is saved. */
  happenedAt: string | null
  about: AboutEntry[]
  participants: Participant[]
  /** `text` is the name in the body, without which the mention is dropped; null: it was made elsewhere and stays. */
  mentions: { email: string; text: string | null }[]
  isPrivate: boolean
}

export const emptyNote = (kind: NoteKind, about: AboutEntry[]): NoteText => ({
  ...{ kind, title: '', body: '', happenedAt: null, about, participants: [], mentions: [] },
  isPrivate: false,
})

/** How users are mentioned in a text. */
export const mentionText = (email: string, users: readonly User[]): string => `@${personName(email, users)}`

export const noteText = (note: Note, users: readonly User[]): NoteText => ({
  kind: note.kind,
  title: note.title ?? '',
  body: note.body,
  happenedAt: note.happened_at,
  about: note.about,
  participants: note.participants,
  mentions: note.mentions.map((email) => {
    const text = mentionText(email, users)
    return { email, text: note.body.includes(text) ? text : null }
  }),
  isPrivate: note.visibility === 'private',
})

const mentionsOf = ({ mentions, body }: NoteText): string[] => [
  ...new Set(mentions.filter(({ text }) => text === null || body.includes(text)).map(({ email }) => email)),
]

const isTalk = ({ kind }: NoteText): boolean => kind !== 'note'

/** What is sent. A reply takes over the records of its parent. */
export function requestBody(text: NoteText, parentId?: string): NewNote {
  const { kind, title, body, happenedAt, about, participants, isPrivate } = text
  const shared = { body, mentions: mentionsOf(text) }
  if (parentId !== undefined) return { ...shared, parent_id: parentId }
  return {
    ...shared,
    kind,
    title: title.trim() || null,
    ...(happenedAt !== null && { happened_at: happenedAt }),
    about: about.map(({ type, id }) => ({ type, id })),
    participants: isTalk(text) ? participants.map(({ id }) => id) : [],
    visibility: isPrivate ? 'private' : 'team',
  }
}

/** The changed fields, as they are sent. */
export function requestChanges(text: NoteText, from: NoteText, isReply: boolean) {
  const [now, before] = [requestBody(text), requestBody(from)]
  const changed = changedFields(now, before)
  return pick(now, isReply ? changed.filter((field) => field === 'body' || field === 'mentions') : changed)
}

/** Another version with the user's changes applied. */
export const mergedText = (mine: NoteText, from: NoteText, remote: NoteText): NoteText => ({
  ...remote,
  ...pick(mine, changedFields(mine, from)),
})

export const isEmptyText = ({ title, body }: NoteText): boolean => `${title}${body}`.trim() === ''

/** Finds what the service would reject. */
export function validateNote(text: NoteText, isReply: boolean): { body?: string; about?: string } {
  return {
    ...(text.body.trim() === '' && { body: strings.bodyRequired }),
    ...(!isReply && text.about.length === 0 && { about: strings.aboutRequired }),
  }
}

/** A text in Markdown as one line without its signs, such as `**` and `#`. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?/gim, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/```\w*|`|\*\*|__|~~/g, '')
    .replace(/(?<![\w*])([*_])(?=\S)(.+?)(?<=\S)\1(?![\w*])/g, '$2')
    .replace(/\s+/g, ' ')
    .trim()
