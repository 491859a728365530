import type { Action } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { readLinkedPeople } from './link-store.ts'
import { lockPeople, type StoredPerson } from './store.ts'
import { type CompanyLinkPatch, writeChanges } from './write-changes.ts'

export interface LinkMove {
  /** The companies that people are no longer linked to, those first whose links are preferred. */
  from: string[]
  to: string
  /** Only these people. */
  people?: string[]
}

/**
 * Links people to another company instead, and records it, so that an undo brings all links back. A person who is linked to
 * several of the companies keeps one link.
 * @returns the ids of the people
 */
export async function moveCompanyLinks(
  transaction: Db,
  action: Action,
  { from, to, people }: LinkMove,
): Promise<string[]> {
  const linked = await readLinkedPeople(transaction, from)
  const locked = await lockPeople(transaction, people ? linked.filter((id) => people.includes(id)) : linked)
  const changes = locked.map((before) => ({ before, links: movedLinks(before, from, to) }))
  return writeChanges(transaction, action, changes)
}

/** The link to the other company stays, else the first one moves there. It is the primary one if one of them was. */
function movedLinks({ companies }: StoredPerson, from: string[], to: string): CompanyLinkPatch {
  const links = [to, ...from].flatMap((id) => companies[id] ?? [])
  const [kept] = links
  if (!kept) return {}
  const is_primary = links.some((link) => link.is_primary)
  return {
    ...Object.fromEntries(from.filter((id) => companies[id]).map((id) => [id, null])),
    [to]: { ...kept, is_primary },
  }
}
