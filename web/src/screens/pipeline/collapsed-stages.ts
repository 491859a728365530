import { useSyncExternalStore } from 'react'
import { signedInEmail } from '#web/api/signed-in-user.ts'

const nameOf = () => `collapsed-stages:${signedInEmail()}`
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Storage that is blocked or full must not keep anyone from collapsing a stage until the next reload. */
let unsaved: string | null = null

function read(): string {
  try {
    return unsaved ?? localStorage.getItem(nameOf()) ?? '[]'
  } catch {
    return unsaved ?? '[]'
  }
}

function write(text: string): void {
  try {
    localStorage.setItem(nameOf(), text)
    unsaved = null
  } catch {
    unsaved = text
  }
}

function parse(text: string): string[] {
  try {
    const stored: unknown = JSON.parse(text)
    return Array.isArray(stored) ? stored.map(String) : []
  } catch {
    return []
  }
}

function toggle(stage: string): void {
  const collapsed = parse(read())
  write(
    JSON.stringify(
      collapsed.includes(stage) ? collapsed.filter((one) => one !== stage) : [...collapsed, stage],
    ),
  )
  for (const listener of listeners) listener()
}

/** The stages that the user has collapsed, remembered in this browser. */
export function useCollapsedStages(): { collapsed: string[]; toggle: (stage: string) => void } {
  return { collapsed: parse(useSyncExternalStore(subscribe, read)), toggle }
}
