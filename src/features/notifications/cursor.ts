import { InvalidInput } from '#src/platform/errors.ts'

/** Where a page ends. */
interface Cursor {
  at: string
  id: string
}

export const writeCursor = ({ at, id }: Cursor): string => Buffer.from(`${at} ${id}`).toString('base64url')

const AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /^ntf_[0-9a-z]{26}$/

/** @throws InvalidInput for text that no page has returned as its `next` */
export function readCursor(text: string): Cursor {
  const [at = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ')
  if (AT.test(at) && !Number.isNaN(Date.parse(at)) && ID.test(id)) return { at, id }
  throw new InvalidInput('before must be the `next` of a page of notifications.')
}
