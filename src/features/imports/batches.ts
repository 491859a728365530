import { type CustomFieldMap, changeCustom } from '#src/features/fields/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'

/** The last write of this process. */
let lastWrite: Promise<void> = Promise.resolve()

/** Imports of this process take turns, without holding a database connection while they wait. */
export function inTurn(write: () => Promise<void>): Promise<void> {
  const turn = lastWrite.then(write)
  lastWrite = turn.catch(() => {})
  return turn
}

/**
 * Writes items together. If the database rejects one, writes each half alone until only that one is left out.
 * @param reject called with an item that cannot be stored, and the reason
 */
export async function writeOrSplit<T>(
  items: readonly T[],
  write: (items: readonly T[]) => Promise<void>,
  reject: (item: T, reason: string) => void,
): Promise<void> {
  try {
    await write(items)
  } catch (error) {
    const rejection = rejectionOf(error)
    if (!rejection) throw error
    const [first, ...others] = items
    if (first !== undefined && others.length === 0) {
      reject(first, rejection)
      return
    }
    const middle = Math.ceil(items.length / 2)
    await writeOrSplit(items.slice(0, middle), write, reject)
    await writeOrSplit(items.slice(middle), write, reject)
  }
}

/** Why custom values are not allowed; undefined: they are. */
export function customValuesError(
  fields: CustomFieldMap,
  custom: Record<string, unknown>,
): string | undefined {
  try {
    changeCustom(fields, {}, custom)
    return undefined
  } catch (error) {
    if (error instanceof InvalidInput) return error.message
    throw error
  }
}

const REASONS: Record<string, string> = {
  '22': 'The database cannot store a value of this row',
  '23': 'The row breaks a rule of the database',
  '54': 'A value of this row is too large for the database',
}

/** The reason if the database rejected the data (SQLSTATE class 22, 23 or 54); undefined for other errors. */
function rejectionOf(error: unknown): string | undefined {
  const { code = '', constraint } = error as { code?: string; constraint?: string }
  const reason = REASONS[String(code).slice(0, 2)]
  return reason && `${reason} (${constraint ? `${constraint}, ` : ''}SQLSTATE ${code}).`
}

/** The items, in order, in groups of this size. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
