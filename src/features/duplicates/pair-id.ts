import { createHash } from 'node:crypto'
import { idFromBytes } from '#src/platform/ids.ts'

/** The id of a pair of companies: always the same, so that a dismissal holds when the pair is found again. */
export const pairId = (older_id: string, newer_id: string): string =>
  idFromBytes('dup', createHash('sha256').update(`${older_id} ${newer_id}`).digest().subarray(0, 16))
