import { strings } from '#strings/notes.ts'
import type { Note } from '#web/api/service.ts'

/** A record that a note is about. */
export const aboutName = ({ type, name }: Note['about'][number]): string =>
  type === 'deal' ? strings.dealWith(name) : name
