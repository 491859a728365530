import type { Piece } from '#web/format/folded-text.ts'

/** A text with its matches highlighted. */
export function MarkedText({ pieces }: { pieces: Piece[] }) {
  return pieces.map(({ text, isMatch, start }) => (isMatch ? <mark key={start}>{text}</mark> : text))
}
