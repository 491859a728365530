import { InvalidInput } from '#src/platform/errors.ts'
import { firstIdAt } from '#src/platform/ids.ts'

/** The place of an entry. */
export interface Place {
  at: string
  id: string
}

/** Where a page ends. */
export interface Cursor extends Place {
  /** Later activity than this is left out, so that new changes do not move entries between pages. */
  top: string
}

/** Newest first. */
export const byPlace = (one: Place, other: Place): number =>
  one.at === other.at ? (one.id < other.id ? 1 : -1) : one.at < other.at ? 1 : -1

export const isBefore = (place: Place, cursor: Place | undefined): boolean =>
  cursor === undefined || byPlace(place, cursor) > 0

export const writeCursor = ({ at, id, top }: Cursor): string =>
  Buffer.from(`${at} ${id} ${top}`).toString('base64url')

const AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** Entries of earlier versions of files end with the version. */
const ID = /^[a-z]+_[0-9a-z]{26}(?:\.\d{1,10})?$/
const TOP = /^(?:act_[0-9a-z]{10,26})?$/

/** @throws InvalidInput for text that no page has returned as its `next` */
export function readCursor(text: string): Cursor {
  const [at = '', id = '', top = '-'] = Buffer.from(text, 'base64url').toString().split(' ')
  if (AT.test(at) && !Number.isNaN(Date.parse(at)) && ID.test(id) && TOP.test(top)) return { at, id, top }
  throw new InvalidInput('before must be the `next` of a page of this timeline.')
}

/** The lowest id of activity of this day, in UTC. */
export const dayStart = (at: string | Date, days = 0): string => {
  const day = new Date(at)
  day.setUTCHours(0, 0, 0, 0)
  day.setUTCDate(day.getUTCDate() + days)
  return firstIdAt('act', day)
}
