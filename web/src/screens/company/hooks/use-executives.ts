import { useRef } from 'react'
import { EditConflict } from '#web/editing/edit-conflict.ts'
import { isEqual } from '#web/editing/record-changes.ts'
import type { CompanyRecord } from '../company-fields.ts'
import { asText, isRecord } from '../type-guards.ts'
import { useUpdateField } from './use-update-field.ts'

export type Person = Record<string, unknown> & { name: string; title?: string | null }
export type PersonKey = 'name' | 'title'

export const isPerson = (entry: unknown): entry is Person =>
  isRecord(entry) &&
  typeof entry.name === 'string' &&
  (entry.title === undefined || entry.title === null || typeof entry.title === 'string')

const cellOf = (entry: unknown, key: PersonKey): string => (isRecord(entry) ? (asText(entry[key]) ?? '') : '')

/** The index of an entry that was in this row, or -1 if it is gone. */
const indexOfEntry = (entries: unknown[], row: number, sought: unknown): number =>
  isEqual(entries[row], sought) ? row : entries.findIndex((entry) => isEqual(entry, sought))

/** The same for a person, even if someone else changed the title. */
function indexOfPerson(entries: unknown[], row: number, sought: Person): number {
  const index = indexOfEntry(entries, row, sought)
  const namesakes = entries.flatMap((entry, index) =>
    isPerson(entry) && entry.name === sought.name ? index : [],
  )
  return index === -1 && namesakes.length === 1 ? (namesakes[0] as number) : index
}

/**
 * Changes to the executives. Rows that someone else added, changed, or removed at the same time stay as they are. A
 * change throws EditConflict if someone else changed or removed the same row.
 */
export function useExecutives(company: CompanyRecord) {
  const change = useUpdateField(company, 'executives')
  const firstNames = useRef(new Map<string, string>())

  const firstNameOf = (name: string) => firstNames.current.get(name) ?? name
  return {
    /** Stable keys for the entries on screen: the name a person had at first, even after it was edited here. */
    keysOf: (entries: unknown[]): string[] => {
      const keys = entries.map((entry) => (isPerson(entry) ? firstNameOf(entry.name) : JSON.stringify(entry)))
      return keys.map((key, row) => `${key} ${keys.slice(0, row).filter((other) => other === key).length}`)
    },
    put: (row: number, person: Person, key: PersonKey) => (text: string, seen: string) => {
      if (key === 'name') firstNames.current.set(text, firstNameOf(person.name))
      return change((value) => {
        const entries = value ?? []
        const index = indexOfPerson(entries, row, person)
        const remote = cellOf(entries[index], key)
        if (index === -1 || remote !== seen) throw new EditConflict(remote)
        return entries.map((entry, at) =>
          at === index && isRecord(entry) ? { ...entry, [key]: text || null } : entry,
        )
      })
    },
    add: (person: Person) => change((entries) => [...(entries ?? []), person]),
    remove: (row: number, removed: unknown) =>
      change((value) => {
        const entries = value ?? []
        const index = indexOfEntry(entries, row, removed)
        if (index === -1) throw new EditConflict('')
        return entries.toSpliced(index, 1)
      }),
  }
}
