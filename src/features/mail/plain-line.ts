import { truncate } from '#src/platform/truncate.ts'

const MAX_LENGTH = 300
/** Characters that break lines, or turn the direction of the text around them. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu

/** A text of users on one line, so that it can neither add headers nor look like the mail's own text. */
export const plainLine = (text: string, length = MAX_LENGTH): string =>
  truncate(text.replace(UNSAFE, ' ').trim(), length)
