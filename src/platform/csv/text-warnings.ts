import { InvalidInput } from '#src/platform/errors.ts'
import type { ByteSurvey } from './encoding/byte-survey.ts'
import type { DetectedEncoding } from './encoding/detect-encoding.ts'

/** Old programs leave some behind. */
const FEW_CONTROLS = 3
/** More control characters than these, as a share of all bytes, are no text. */
const MAX_CONTROLS = 0.05

/**
 * What does not look like text.
 * @param text the start of the file
 * @throws InvalidInput if the file is no text at all
 */
export function textWarnings(
  text: string,
  { bytes, controls, zeros }: ByteSurvey,
  { encoding, isCertain }: DetectedEncoding,
): string[] {
  const warnings: string[] = []
  const isWide = /^utf-(?:16|32)/.test(encoding.name)
  const binary = isWide ? 0 : controls + zeros.even + zeros.odd
  if (binary > bytes * MAX_CONTROLS)
    throw new InvalidInput(
      'This is not a text file. Upload a table as CSV, or as a workbook (XLSX, XLS, ODS).',
    )
  if (binary > Math.max(FEW_CONTROLS, bytes / 10_000))
    warnings.push(`The text has ${countOf(binary, 'control character')}. The file may be damaged.`)
  const unreadable = text.split('\ufffd').length - 1
  if (unreadable > 0)
    warnings.push(
      `${countOf(unreadable, 'character')} cannot be read as ${encoding.name}. Choose another encoding if the text looks wrong.`,
    )
  if (!isCertain)
    warnings.push(
      `The encoding was recognized as ${encoding.name}. Check the names in the preview; choose another encoding if they look wrong.`,
    )
  return warnings
}

const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
