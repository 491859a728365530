import type { Action } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { readLinkedPeople } from './link-store.ts'
import { lockPeople, lockTrashedPeople, type StoredPerson } from './store.ts'
import { type CompanyLinkPatch, writeChanges } from './write-changes.ts'

export interface LinkMove {
  /** The companies that people are no longer linked to, those first whose links are preferred. */
  from: string[]
  to: string
}

/**
 * Links people to another company instead, also those in the trash and those who were merged into others, and records it, so
 * that an undo brings all links back. A person who is linked to several of the companies keeps one link.
 * @returns the ids of those who are neither in the trash nor merged
 */
export async function moveCompanyLinks(
  transaction: Db,
  action: Action,
  { from, to }: LinkMove,
): Promise<string[]> {
  const ids = await readLinkedPeople(transaction, from)
  // Restoring locks in this order too.
  const trashed = await lockTrashedPeople(transaction, ids)
  const people = await lockPeople(transaction, ids)
  const found = new Set(idsOf([...trashed, ...people]))
  // Others may have deleted some in between.
  const deleted = await lockTrashedPeople(
    transaction,
    ids.filter((id) => !found.has(id)),
  )
  const changes = [...trashed, ...deleted, ...people].map((before) => ({
    before,
    links: movedLinks(before, from, to),
  }))
  const moved = new Set(await writeChanges(transaction, action, changes))
  return idsOf(people).filter((id) => moved.has(id))
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
