import { isDeepStrictEqual } from 'node:util'
import { changesOf } from '#src/features/activity/index.ts'
import type { ImportedDeal } from '#src/features/deals/index.ts'
import { sizeError, withCustomNames } from '#src/features/fields/index.ts'
import type { OnExisting } from '../record-schema.ts'
import type { MentionedCompany } from '../records/company-mentions.ts'
import { shownValue } from '../row-lists.ts'
import { type CellMessages, cellError } from '../rows/field-cells.ts'
import type { DealRow } from './deal-reader.ts'

/** A row with the company that it names, which exists or will. */
export interface PlacedRow {
  deal: DealRow
  company: MentionedCompany | undefined
}

/** What a row does to a deal. */
export interface DealEffect extends CellMessages {
  row: PlacedRow
  outcome: 'created' | 'updated' | 'unchanged'
  before: ImportedDeal
  after: ImportedDeal
}

const OTHER_COMPANY = 'The deal belongs to another company here, which stays.'

/**
 * What a row does to a deal that is in this state.
 * @param mode fill: only blank fields get values
 */
export function effectOf(row: PlacedRow, before: ImportedDeal, isNew: boolean, mode: OnExisting): DealEffect {
  const { deal, company } = row
  const messages: CellMessages = { errors: [...deal.errors], notes: [...deal.notes] }
  if (!isNew && deal.company && company?.id !== before.company_id)
    messages.notes.push(
      cellError(
        deal.companyColumn,
        'company',
        deal.company.name || (deal.company.website ?? ''),
        OTHER_COMPANY,
      ),
    )
  const applied = withValues(before, deal, mode === 'fill')
  const tooLarge = sizeError(applied.custom)
  if (tooLarge) messages.errors.push(cellError('', 'custom', '', tooLarge.message))
  const after = tooLarge ? { ...applied, custom: before.custom } : applied
  const outcome = isNew ? 'created' : isSameDeal(before, after) ? 'unchanged' : 'updated'
  return { row, outcome, before, after, ...messages }
}

function withValues(
  before: ImportedDeal,
  { fields, source, custom, key, id }: DealRow,
  isFilling: boolean,
): ImportedDeal {
  const given = Object.entries(fields).filter(
    ([field, value]) => value !== undefined && !(isFilling && before[field as keyof ImportedDeal] !== null),
  )
  // A word in a note does not replace a source that someone has chosen.
  const isSourceTaken = before.source_type !== null && (isFilling || source?.isGuess)
  return {
    ...before,
    ...Object.fromEntries(given),
    ...(source && !isSourceTaken && { source_type: source.source_type, source_id: source.source_id }),
    custom: isFilling ? { ...custom, ...before.custom } : { ...before.custom, ...custom },
    import_key: before.import_key ?? (id === undefined ? key.text : null),
  }
}

/** Whether an import changes a deal. */
const isSameDeal = (one: ImportedDeal, other: ImportedDeal): boolean =>
  isDeepStrictEqual(
    { ...one, import_key: null, updated_at: '' },
    { ...other, import_key: null, updated_at: '' },
  )

/** What has changed of a deal. Long values are shortened. */
export function shownDealChanges(
  before: ImportedDeal,
  after: ImportedDeal,
): Record<string, { from: unknown; to: unknown }> {
  const [from, to] = [shownDeal(before), shownDeal(after)]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return Object.fromEntries(
    Object.entries(changesOf(from, to, names)).map(([field, change]) => [
      field,
      { from: shownValue(change.from), to: shownValue(change.to) },
    ]),
  )
}

const HIDDEN = new Set(['id', 'company_id', 'import_key', 'created_at', 'updated_at'])

/** A deal's values as people read them, custom ones as `custom.<key>`. */
export const shownDeal = (deal: ImportedDeal): Record<string, unknown> =>
  Object.fromEntries(Object.entries(withCustomNames(deal)).filter(([field]) => !HIDDEN.has(field)))
