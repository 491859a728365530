import type { AboutEntry } from './schema.ts'
import { type Link, type LinkPatch, type Links, linkName, linkOf } from './store.ts'
import type { Relation } from './table.ts'

/**
 * What has to change so that a record has these links, in this order. Links in `kept` stay. As few as possible get another
 * position, so that the ledger has no more than what was changed.
 */
export function replaceLinks(
  before: Links,
  relation: Relation,
  targets: readonly AboutEntry[],
  kept: ReadonlySet<string> = new Set(),
): LinkPatch {
  const patch: LinkPatch = {}
  const wanted = new Set(targets.map(({ id }) => id))
  for (const name of Object.keys(before)) {
    const link = linkOf(name)
    if (link?.relation === relation && !wanted.has(link.target_id) && !kept.has(link.target_id))
      patch[name] = null
  }
  let last = -1
  for (const { type, id } of targets) {
    const name = linkName(relation, id)
    const present = before[name]
    last = present && present.position > last ? present.position : last + 1
    if (present?.position !== last) patch[name] = { type, position: last }
  }
  return patch
}

/**
 * Moves the links to some records to another one. The link to that one stays if there is one, else the first one moves.
 * @param from those first whose links are preferred
 */
export function moveLinks(before: Links, from: readonly string[], to: string): LinkPatch {
  const patch: LinkPatch = {}
  for (const relation of ['about', 'participants'] as const) {
    const moved = from.map((id) => linkName(relation, id)).filter((name) => before[name])
    const target = linkName(relation, to)
    for (const name of moved) patch[name] = null
    if (moved[0] && !before[target]) patch[target] = before[moved[0]] as Link
  }
  return patch
}
