import { strings } from '#strings/files.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'

/** A record in the middle of a sentence. */
export const targetName = ({ type, name }: AboutEntry): string =>
  type === 'deal' ? strings.theDealWith(name) : name
