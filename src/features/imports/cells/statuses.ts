import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { normalizedName } from '../columns/normalized-name.ts'
import { PLACEHOLDER, type Reading } from './reading.ts'

const words = (status: string, names: string): Record<string, string> =>
  Object.fromEntries(names.split(' ').map((name) => [name, status]))

/** Statuses in exports of other tools, and ours. */
const STATUSES: Readonly<Record<string, string>> = {
  ...words(
    'active',
    'operating operational open live alive aktiv actif active activo activa ativo ativa attivo attiva actief aktywny aktywna',
  ),
  ...words('active', 'деиствует активна активныи'),
  ...words(
    'inactive',
    'closed dead defunct out_of_business shut_down dissolved inaktiv inactif inactivo inactiva inativo inativa',
  ),
  ...words(
    'inactive',
    'inattivo inattiva inactief nieaktywny geschlossen ferme fermee cerrada encerrada chiusa',
  ),
  ...words('acquired', 'was_acquired m_a merged ubernommen acquis adquirida adquirido acquisita overgenomen'),
  ...words('public', 'ipo listed went_public publicly_traded borsennotiert'),
}

/** The number or letter in front of a stage: "2. Qualified", "A. Leads", "03 - Won". */
const NUMBERING = /^\s*(?:\(?\d{1,3}(?:\s*[.):\]|]\s*|\s*[-–—_]\s*|\s+)|\(?\p{Lu}[.)]\s+)(?=\p{L})/u

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

const MAX_STATUS_LENGTH = 200

const DEFAULT_APPLIES = 'New companies get the status active.'

/** For a status such as "-" or "N/A". */
export const BLANK_STATUS: Reading<never> = { note: `${PLACEHOLDER.note} ${DEFAULT_APPLIES}` }

/** A text as a lower_snake_case word, without numbering and symbols: "★ 2. Shortlist" is shortlist. '' if it has none. */
export function wordIn(text: string): string {
  const name =
    text.length > MAX_STATUS_LENGTH
      ? ''
      : normalizedName(text.replace(/^[^\p{L}\p{N}(]+/u, '').replace(NUMBERING, ''))
  return name.replaceAll(' ', '_').replace(/[ßøłæœđðþı]/g, (letter) => LETTERS[letter] ?? letter)
}

/** Whether a text is a word that a status or a stage may be. */
export const isWord = (text: string): boolean => /^[a-z][a-z0-9_]{0,63}$/.test(text)

/**
 * Reads a status as a lower_snake_case word: "★ Shortlist" is shortlist.
 * @param field its name, for messages
 */
export function readStatus(text: string, field: string): Reading<string> {
  const word = wordIn(text)
  const status = Object.hasOwn(STATUSES, word) ? STATUSES[word] : word
  if (status && isWord(status)) return noted(status, word, text)
  return {
    error:
      `${field} must be a word in Latin letters of up to 64 characters, such as active, inactive, acquired, or public. ` +
      `${DEFAULT_APPLIES} ` +
      'To keep the values, import the column to a custom field.',
  }
}

/** Spaces, hyphens, and case may differ from the text without a note. */
function noted(status: string, word: string, text: string): Reading<string> {
  if (text === status) return { value: status }
  const written = normalizeName(text)
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_')
  if (written === status) return { value: status }
  return {
    value: status,
    note: status === word ? 'The status was shortened to a word.' : `The status was stored as ${status}.`,
  }
}
