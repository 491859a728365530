import type { Piece } from './folded-text.ts'

/** A text whose matches are marked. */
export function MarkedText({ pieces }: { pieces: Piece[] }) {
  return pieces.map(({ text, isMatch, start }) => (isMatch ? <mark key={start}>{text}</mark> : text))
}
