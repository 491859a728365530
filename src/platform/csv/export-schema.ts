import { Type } from 'typebox'

/** The query parameter of every export as CSV. */
export const bomParameter = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Begin the file with a byte order mark, so that Excel reads it as UTF-8.',
  }),
)
