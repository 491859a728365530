import { InvalidInput } from '#src/platform/errors.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { MAX_FILE_NAME_LENGTH } from './schema.ts'

/** Characters that change the direction of text: with them, `fdp.exe` is shown as `exe.pdf`. */
export const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * The name of a file without folders and control characters, of at most 255 characters. A longer one loses its end, but keeps
 * its extension.
 * @throws InvalidInput if nothing is left
 */
export function cleanFileName(name: string): string {
  const last =
    name
      .toWellFormed()
      .split(/[/\\]/)
      .findLast((part) => part.trim() !== '') ?? ''
  const clean = normalizeSpaces(last.replace(/\p{Cc}/gu, ' ').replace(DIRECTIONS, ''))
  if (clean === '' || /^\.+$/.test(clean))
    throw new InvalidInput(
      `name must be a name with letters or digits, such as Deck.pdf, and at most ${MAX_FILE_NAME_LENGTH} characters.`,
    )
  return shorten(clean)
}

/** The name of an attachment, which strangers choose, made safe as that of a file is. */
export function attachmentName(name: string): string {
  try {
    return cleanFileName(name)
  } catch {
    return 'attachment'
  }
}

function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_FILE_NAME_LENGTH) return name
  const extension = /\.[^.\s]{1,20}$/u.exec(name)?.[0] ?? ''
  return characters.slice(0, MAX_FILE_NAME_LENGTH - [...extension].length).join('') + extension
}
