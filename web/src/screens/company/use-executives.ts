import { useRef } from 'react'
import { ChangedMeanwhile } from '#web/parts/changed-meanwhile.ts'
import { type CompanyRecord, useSaveCompany } from './save-company.ts'
import { isRecord, textOf } from './shapes.ts'

export type Person = Record<string, unknown> & { name: string; title?: string | null }
export type PersonKey = 'name' | 'title'

const MOST_TRIES = 4

export const isPerson = (entry: unknown): entry is Person =>
  isRecord(entry) &&
  typeof entry.name === 'string' &&
  (entry.title === undefined || entry.title === null || typeof entry.title === 'string')

const cellOf = (entry: unknown, key: PersonKey): string => (isRecord(entry) ? (textOf(entry[key]) ?? '') : '')

/** Changes of a company's executives. Rows that somebody else has added, changed or removed meanwhile stay so. */
export function useExecutives(company: CompanyRecord) {
  const save = useSaveCompany(company.id)
  const latest = useRef(company.executives)
  latest.current = company.executives

  const change = async (changed: (entries: unknown[]) => unknown[]) => {
    let from: unknown[] | null = latest.current
    for (let tries = 1; ; tries++) {
      const executives = changed(from ?? [])
      try {
        return await save({
          changes: { executives },
          read: (record) => JSON.stringify(record.executives),
          seen: JSON.stringify(from),
        })
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile) || tries === MOST_TRIES) throw error
        from = JSON.parse(error.theirs)
      }
    }
  }
  return {
    put: (row: number, key: PersonKey) => (text: string, seen: string) =>
      change((entries) => {
        const theirs = cellOf(entries[row], key)
        if (theirs !== seen) throw new ChangedMeanwhile(theirs)
        return entries.map((entry, index) =>
          index === row && isRecord(entry) ? { ...entry, [key]: text || null } : entry,
        )
      }),
    add: (person: Person) => change((entries) => [...entries, person]),
    remove: (row: number, removed: unknown) =>
      change((entries) => {
        const isIt = (entry: unknown) => JSON.stringify(entry) === JSON.stringify(removed)
        const place = isIt(entries[row]) ? row : entries.findIndex(isIt)
        return place === -1 ? entries : entries.toSpliced(place, 1)
      }),
    restore: (row: number, removed: unknown) => change((entries) => entries.toSpliced(row, 0, removed)),
  }
}
