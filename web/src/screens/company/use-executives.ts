import { useRef } from 'react'
import { EditConflict } from '#web/editing/edit-conflict.ts'
import type { CompanyRecord } from './save-company.ts'
import { asText, isRecord } from './type-guards.ts'
import { useUpdateField } from './use-update-field.ts'

export type Person = Record<string, unknown> & { name: string; title?: string | null }
export type PersonKey = 'name' | 'title'

export const isPerson = (entry: unknown): entry is Person =>
  isRecord(entry) &&
  typeof entry.name === 'string' &&
  (entry.title === undefined || entry.title === null || typeof entry.title === 'string')

const cellOf = (entry: unknown, key: PersonKey): string => (isRecord(entry) ? (asText(entry[key]) ?? '') : '')
const isEqual = (entry: unknown, other: unknown): boolean => JSON.stringify(entry) === JSON.stringify(other)

/** Where the entry is that was in this row; -1: nowhere any more. */
const indexOfEntry = (entries: unknown[], row: number, sought: unknown): number =>
  isEqual(entries[row], sought) ? row : entries.findIndex((entry) => isEqual(entry, sought))

/** The isEqual, also when somebody else has given the person another title. */
function indexOfPerson(entries: unknown[], row: number, sought: Person): number {
  const place = indexOfEntry(entries, row, sought)
  const namesakes = entries.flatMap((entry, index) =>
    isPerson(entry) && entry.name === sought.name ? index : [],
  )
  return place === -1 && namesakes.length === 1 ? (namesakes[0] as number) : place
}

/** Changes of a company's executives. Rows that somebody else has added, changed or removed meanwhile stay so. */
export function useExecutives(company: CompanyRecord) {
  const change = useUpdateField(company, 'executives')
  const firstNames = useRef(new Map<string, string>())

  const firstNameOf = (name: string) => firstNames.current.get(name) ?? name
  return {
    /** For each entry what says who it is, while it is shown: a person's name, also after it was changed here. */
    keysOf: (entries: unknown[]): string[] => {
      const keys = entries.map((entry) => (isPerson(entry) ? firstNameOf(entry.name) : JSON.stringify(entry)))
      return keys.map((key, row) => `${key} ${keys.slice(0, row).filter((other) => other === key).length}`)
    },
    put: (row: number, person: Person, key: PersonKey) => (text: string, seen: string) => {
      if (key === 'name') firstNames.current.set(text, firstNameOf(person.name))
      return change((value) => {
        const entries = value ?? []
        const place = indexOfPerson(entries, row, person)
        const theirs = cellOf(entries[place], key)
        if (place === -1 || theirs !== seen) throw new EditConflict(theirs)
        return entries.map((entry, index) =>
          index === place && isRecord(entry) ? { ...entry, [key]: text || null } : entry,
        )
      })
    },
    add: (person: Person) => change((entries) => [...(entries ?? []), person]),
    remove: (row: number, removed: unknown) =>
      change((value) => {
        const entries = value ?? []
        const place = indexOfEntry(entries, row, removed)
        if (place === -1) throw new EditConflict('')
        return entries.toSpliced(place, 1)
      }),
    restore: (row: number, removed: unknown) =>
      change((entries) => (entries ?? []).toSpliced(row, 0, removed)),
  }
}
