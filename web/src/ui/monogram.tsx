import type { CSSProperties } from 'react'
import classes from './monogram.module.css'

/** Hues with equal lightness, far enough apart to tell neighbors in a list from each other. */
const HUES = [20, 60, 105, 150, 195, 240, 285, 330]

interface MonogramProps {
  /** The name of a company, or of a person. */
  name: string
  /** In pixels. */
  size?: number
  /** People are round, companies square. */
  isPerson?: boolean
}

/** The initials of a company or a person on a tint that is always the same for the same name. */
export function Monogram({ name, size = 20, isPerson = false }: MonogramProps) {
  return (
    <span
      className={classes.monogram}
      data-person={isPerson || undefined}
      style={{ '--monogram-size': `${size}px`, '--monogram-hue': hueOf(name) } as CSSProperties}
      aria-hidden
    >
      {isPerson ? initialsOf(name) : initialsOf(name).slice(0, 1)}
    </span>
  )
}

/** Up to two initials. Letters outside of the basic plane stay whole. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return (
    [first, last]
      .map((word) => [...word][0] ?? '')
      .join('')
      .toUpperCase() || '·'
  )
}

function hueOf(name: string): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return HUES[hash % HUES.length] as number
}
