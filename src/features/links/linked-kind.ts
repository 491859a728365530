import type { Obstacle, PreviousValues } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Link, type LinkPatch, linkOf, readLinks } from './store.ts'
import { keepTargets } from './targets.ts'

/** Values by their names in the ledger, as fields and as links. */
export function splitLinks(values: Record<string, unknown>): {
  fields: Record<string, unknown>
  links: LinkPatch
} {
  const entries = Object.entries(values)
  return {
    fields: Object.fromEntries(entries.filter(([name]) => !linkOf(name))),
    links: Object.fromEntries(entries.filter(([name]) => linkOf(name))) as LinkPatch,
  }
}

/** Keeps the targets of the links among changes until the transaction ends. */
export async function keepLinkTargets(
  transaction: Db,
  changes: readonly Record<string, { from: unknown; to: unknown }>[],
): Promise<void> {
  await keepTargets(
    transaction,
    changes.flatMap((fields) =>
      Object.entries(fields).flatMap(([name, { from, to }]) => {
        const id = linkOf(name)?.target_id
        const link = (from ?? to) as Link | null
        return id === undefined || !link ? [] : [{ type: link.type, id }]
      }),
    ),
  )
}

interface PreviousLink {
  id: string
  field: string
  target: string
  link: Link | null
}

/**
 * The links to records that are in the trash, merged or gone. The other records stay until the transaction ends.
 * @param needsAbout also returns the links whose removal would leave a record about nothing
 */
export async function findMissingTargets(
  transaction: Db,
  previous: PreviousValues,
  { needsAbout }: { needsAbout: boolean },
): Promise<Obstacle[]> {
  const links: PreviousLink[] = [...previous].flatMap(([id, values]) =>
    Object.entries(values).flatMap(([field, value]) => {
      const target = linkOf(field)?.target_id
      return target === undefined ? [] : [{ id, field, target, link: value as Link | null }]
    }),
  )
  if (links.length === 0) return []
  const existing = await keepTargets(
    transaction,
    links.flatMap(({ target, link }) => (link ? [{ type: link.type, id: target }] : [])),
  )
  const missing = links.filter(({ target, link }) => link && !existing.has(target))
  const last = needsAbout ? await findLast(transaction, [...previous.keys()], links, missing) : []
  return [...missing, ...last].map(({ id, field }) => ({ id, field, reason: 'record_missing' }))
}

/** The links whose removal would leave a record about nothing. */
async function findLast(
  transaction: Db,
  ids: readonly string[],
  links: readonly PreviousLink[],
  missing: readonly PreviousLink[],
): Promise<PreviousLink[]> {
  return [...(await readLinks(transaction, ids))].flatMap(([record_id, present]) => {
    const own = links.filter(({ id, field }) => id === record_id && field.startsWith('about.'))
    const added = own.filter((one) => one.link && !missing.includes(one))
    const removed = own.filter(({ link }) => !link)
    const after = new Set([...Object.keys(present), ...added.map(({ field }) => field)])
    for (const { field } of removed) after.delete(field)
    return [...after].some((field) => field.startsWith('about.')) ? [] : removed
  })
}
