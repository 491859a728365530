/** Text from a request, safe to quote in a message: no control characters, no lone surrogates. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, ' ').toWellFormed()

/** A failure that the caller may see: `message` is a sentence for people and discloses nothing internal. */
export class ServiceError extends Error {}

/** The input is wrong; the message names the field and what is allowed. */
export class InvalidInput extends ServiceError {}

/** The input refers to a record that does not exist. */
export class InvalidReference extends InvalidInput {
  /**
   * @param expected the sentence that names the field, such as `user_id must be the id of a user`
   * @param unknown the ids that no record has
   * @param creation the request that creates such a record, such as `POST /api/users`
   */
  constructor(expected: string, unknown: readonly unknown[], creation: string) {
    const ids = unknown.map((id) => String(id).slice(0, 100)).join(' or ')
    super(`${expected}; none has the id ${ids}. ${creation} creates one.`)
  }
}

export class Unauthenticated extends ServiceError {}

export class Forbidden extends ServiceError {}

/** The record that the path names does not exist. */
export class NotFound extends ServiceError {}

/** The request contradicts the present state of the record, or another record. */
export class Conflict extends ServiceError {}

/** The record has changed since the caller read it. */
export class PreconditionFailed extends ServiceError {}

export class TooManyRequests extends ServiceError {}

/** A dependency is down or switched off; the message says which. */
export class Unavailable extends ServiceError {}

/**
 * The record with an id from the path.
 * @throws NotFound when there is none
 */
export function found<T>(record: T | undefined, kind: string, id: string): T {
  if (record === undefined) throw new NotFound(`No ${kind} has the id ${id.slice(0, 100)}.`)
  return record
}
