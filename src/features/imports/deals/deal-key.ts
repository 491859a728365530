import { truncate } from '#src/platform/truncate.ts'
import { normalizedName } from '../columns/normalized-name.ts'

/** What a later import of the same row recognizes its deal by. */
export interface DealKey {
  /** As it is stored: `id HubSpot 901`, or `name nordlys seed | series a`. */
  text: string
  /** Whether it is an id in another tool. */
  isId: boolean
  /** Whether no other deal has it, whatever its company is. */
  isUnique: boolean
}

const MAX_KEY_LENGTH = 300

/** What a row says about which deal it is. */
interface RowIdentity {
  /** The tool that the file is from; null: it is not known. */
  tool: string | null
  recordId: string | undefined
  name: string | undefined
  round: string | undefined
}

/** The key of a row: its id in the other tool, or else the name of the deal and its round. */
export function keyOfRow({ tool, recordId, name = '', round = '' }: RowIdentity): DealKey {
  const text = recordId
    ? ['id', ...(tool === null ? [] : [tool]), recordId].join(' ')
    : `name ${normalizedName(name)} | ${normalizedName(round)}`
  const isId = Boolean(recordId)
  return { text: truncate(text, MAX_KEY_LENGTH), isId, isUnique: isId && tool !== null }
}

/** Whether a deal with another key, or none, may be that of a row. */
export function mayHaveKey(stored: string | null, { text, isId }: DealKey): boolean {
  if (stored === null) return true
  const isIdStored = stored.startsWith('id ')
  if (isIdStored || isId) return !(isIdStored && isId)
  const nameIn = (key: string) => key.split(' | ')[0]
  return nameIn(stored) === nameIn(text)
}
