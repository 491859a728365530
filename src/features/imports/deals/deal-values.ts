import {
  type DealStatus,
  MAX_NOTES_LENGTH,
  SOURCE_CHANNELS,
  SOURCE_TYPES,
  type SourceType,
} from '#src/features/deals/index.ts'
import type { UserReferences } from '#src/features/users/index.ts'
import { normalizeWord } from '#src/platform/schema/normalize-input.ts'
import type { Reading } from '../cells/reading.ts'
import { isWord, wordIn } from '../cells/statuses.ts'
import type { TextCell } from '../columns/columns.ts'
import { type CellMessages, cellError } from '../rows/field-cells.ts'

/** The values of the fields of a deal in a row; undefined: the cell is blank. */
export interface DealFields {
  stage: string | undefined
  status: string | undefined
  owner_email: string | undefined
  amount_eur: number | undefined
  valuation_eur: number | undefined
  ownership_percent: number | undefined
  probability: number | undefined
  round: string | undefined
  source: string | undefined
  lost_reason: string | undefined
  notes: string | undefined
  expected_close_on: string | undefined
}

/** The fields of a row whose values another row of the same deal has taken over. */
export const NO_FIELDS: DealFields = {
  ...{ stage: undefined, status: undefined, owner_email: undefined, amount_eur: undefined },
  ...{ valuation_eur: undefined, ownership_percent: undefined, probability: undefined, round: undefined },
  ...{ source: undefined, lost_reason: undefined, notes: undefined, expected_close_on: undefined },
}

/** Who brought a deal. */
export interface DealSource {
  source_type: SourceType
  source_id: string
  /** Whether it was only the word of a channel in the note about the source. */
  isGuess: boolean
  column: string
}

/** What each field allows, for values beyond its limits. */
export const LIMITS: Readonly<Record<keyof DealFields, string>> = {
  stage: 'stage must be a word of up to 64 characters, such as due_diligence.',
  status: 'status must be a word of up to 64 characters, such as active, won, lost, or on_hold.',
  owner_email: 'owner_email must be the email address or the name of a user.',
  amount_eur: 'amount_eur must be an amount from 0 to 1,000,000,000,000,000.',
  valuation_eur: 'valuation_eur must be an amount from 0 to 1,000,000,000,000,000.',
  ownership_percent: 'ownership_percent must be a percentage from 0 to 100, such as 12.5 or 12.5%.',
  probability: 'probability must be a percentage from 0 to 100, such as 40 or 40%.',
  round: 'round must be text of up to 100 characters, such as Seed or Series A.',
  source: 'source must be text of up to 200 characters.',
  lost_reason: 'lost_reason must be text of up to 2,000 characters.',
  notes: `notes must be text of up to ${MAX_NOTES_LENGTH.toLocaleString('en')} characters.`,
  expected_close_on: 'expected_close_on must be a date, such as 2026-03-02.',
}

const STATUSES: readonly (readonly [DealStatus, RegExp])[] = [
  [
    'active',
    /^(?:open|active|in_progress|in_process|ongoing|live|current|offen|aktiv|ouvert|en_cours|abierto|aberto)$/,
  ],
  ['won', /^(?:won|closed_won|invested|portfolio|gewonnen|gagne|ganado|ganho)$/],
  ['lost', /^(?:lost|closed_lost|passed|pass|declined|rejected|dead|verloren|abgelehnt|perdu|perdido)$/],
  ['on_hold', /^(?:on_hold|hold|paused|stalled|parked|pausiert|en_pause)$/],
]

/** Reads a deal's status as a lower_snake_case word. */
export function readDealStatus(text: string): Reading<string> {
  const word = wordIn(text)
  const [status] = STATUSES.find(([, words]) => words.test(word)) ?? []
  if (status === undefined) return isWord(word) ? { value: word } : { error: LIMITS.status }
  const isSame = normalizeWord(text) === status
  return { value: status, ...(!isSame && { note: `The status was stored as ${status}.` }) }
}

const INCOMPLETE =
  'source_type and source_id must both be set: a type of person, company, user, or channel, with the id of it. Who brought the ' +
  'deal was left out.'
const NO_USER = 'source_id must be the email address of a user. Who brought the deal was left out.'
const NO_CHANNEL = `source_id must be one of ${SOURCE_CHANNELS.join(', ')}. Who brought the deal was left out.`

/** Who brought the deal: as an export says, or the channel that the note about the source names. */
export function readSource(
  { type, id, note }: { type: TextCell | undefined; id: TextCell | undefined; note: string | undefined },
  users: UserReferences,
  messages: CellMessages,
): DealSource | undefined {
  if (!type && !id) {
    const channel = SOURCE_CHANNELS.find((one) => one === normalizeWord(note ?? ''))
    return channel && { source_type: 'channel', source_id: channel, isGuess: true, column: 'source' }
  }
  const cell = id ?? type
  const source_type = SOURCE_TYPES.find((one) => one === normalizeWord(type?.text ?? ''))
  const fail = (message: string) => {
    messages.errors.push(cellError(cell?.column ?? 'source_id', 'source_id', cell?.text ?? '', message))
    return undefined
  }
  if (!source_type || !id) return fail(INCOMPLETE)
  const found = { source_type, isGuess: false, column: id.column }
  if (source_type === 'channel') {
    const channel = SOURCE_CHANNELS.find((one) => one === normalizeWord(id.text))
    return channel ? { ...found, source_id: channel } : fail(NO_CHANNEL)
  }
  if (source_type !== 'user') return { ...found, source_id: id.text }
  const email = id.text.toLowerCase()
  return users.emails.has(email) ? { ...found, source_id: email } : fail(NO_USER)
}
