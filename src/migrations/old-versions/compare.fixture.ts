import { parse } from 'csv-parse/sync'
import type { Snapshot } from './snapshot.fixture.ts'

/** A value that an older version answered and the present one does not. */
export interface Difference {
  /** The request, with `:id` for ids. */
  request: string
  /** Where in the answer, such as `body.data[].name`. */
  at: string
  before: unknown
  after: unknown
  /** The whole request and place, to find it. */
  place: string
}

const ID = /\b(?:cmp|th|df|act|ax|ba|fb|fld|view|imp|aud|key|dup)_[0-9a-z]+/g

/** Finds the values that are not as they were. Fields that are new do not count. */
export function differencesBetween(before: Snapshot, after: Snapshot): Difference[] {
  return [...before].flatMap(([request, reading]) => {
    const other = after.get(request)
    const differences = [...compare(comparable(reading), comparable(other), '')]
    return differences.map(({ at, ...values }) => ({
      request: request.replace(ID, ':id'),
      at: at.replace(/\[\d+\]/g, '[]').replace(ID, ':id'),
      ...values,
      place: `${request} ${at}`,
    }))
  })
}

/** CSV as rows by column, because columns may be added. */
function comparable(reading: unknown): unknown {
  const { status, body } = (reading ?? {}) as { status?: number; body?: unknown }
  if (typeof body !== 'string' || !body.includes('\r\n')) return { status, body }
  return { status, body: parse(body, { columns: true, bom: true }) }
}

function* compare(
  before: unknown,
  after: unknown,
  at: string,
): Generator<{ at: string; before: unknown; after: unknown }> {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) yield* compare(item, after[index], `${at}[${index}]`)
  } else if (isRecord(before) && isRecord(after)) {
    for (const [key, value] of Object.entries(before))
      yield* compare(value, after[key], at === '' ? key : `${at}.${key}`)
  } else if (before !== after) yield { at, before, after }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
