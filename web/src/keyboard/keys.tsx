import { Kbd } from '@mantine/core'
import { strings } from '#strings/keyboard.ts'
import classes from './keys.module.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
const NAMES: Record<string, string> = {
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  Delete: strings.deleteKey,
  Escape: 'Esc',
  ' ': strings.space,
}

const nameOf = (key: string): string =>
  key.startsWith('mod+') ? `${isApple ? '⌘' : 'Ctrl '}${key.slice(4).toUpperCase()}` : (NAMES[key] ?? key)

/** The keys of an action, as on a keyboard. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes.keys}>
      {keys.map((sequence, index) => (
        <span key={sequence} className={classes.keys}>
          {index > 0 && <span className={classes.or}>{strings.or}</span>}
          {(sequence === ' ' ? [' '] : sequence.split(' ')).map((key) => (
            <Kbd key={key} size="xs">
              {nameOf(key)}
            </Kbd>
          ))}
        </span>
      ))}
    </span>
  )
}

/** The first keys of an action for `aria-keyshortcuts`. */
export const ariaKeys = (keys: readonly string[]): string =>
  keys.map((key) => key.replace('mod+', isApple ? 'Meta+' : 'Control+')).join(' ')
