import { truncate } from './truncate.ts'

/** Text that is safe to quote in a message: without control characters and lone surrogates. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, ' ').toWellFormed()

/** An error that is shown to the caller. `message` is a full sentence without internal details. */
export class ServiceError extends Error {}

/** The input is invalid. The message names the field and the allowed values. */
export class InvalidInput extends ServiceError {}

/** An error names at most this many unknown ids. */
const MAX_NAMED = 10

/** The input refers to a record that does not exist. */
export class InvalidReference extends InvalidInput {
  /**
   * @param expected a sentence about the field, such as `user_id must be the id of a user`
   * @param unknown the ids that do not exist
   * @param creation the request that creates such a record, such as `POST /api/users`
   */
  constructor(expected: string, unknown: readonly unknown[], creation: string) {
    const named = [...new Set(unknown)].slice(0, MAX_NAMED).map((id) => truncate(String(id), 100))
    const ids = named.join(' or ')
    super(`${expected}; none has the id ${ids}. ${creation} creates one.`)
  }
}

export class Unauthenticated extends ServiceError {}

export class Forbidden extends ServiceError {}

/** The record in the path does not exist. */
export class NotFound extends ServiceError {}

/** The request conflicts with the current state of the record or with another record. */
export class Conflict extends ServiceError {}

/** The record in the path has become part of another one. */
export class Moved extends Conflict {
  /** The id of the record that it is part of. */
  readonly target: string

  constructor(message: string, target: string) {
    super(message)
    this.target = target
  }
}

/** What the caller asks for existed, and does not come back. */
export class Gone extends ServiceError {}

/** An idempotency key was used with another request. */
export class KeyReused extends ServiceError {}

/** The body is in a Content-Encoding. */
export class UnsupportedEncoding extends ServiceError {}

/** The record has changed since the caller read it. */
export class PreconditionFailed extends ServiceError {}

/** The body is larger than allowed. */
export class TooLarge extends ServiceError {}

/** What is stored has reached its limit. */
export class QuotaExceeded extends ServiceError {}

export class TooManyRequests extends ServiceError {}

/** A dependency is down or disabled. The message names it. */
export class Unavailable extends ServiceError {}

/**
 * Returns the record, which was looked up by an id from the path.
 * @throws NotFound if it is undefined
 */
export function orNotFound<T>(record: T | undefined, kind: string, id: string): T {
  if (record === undefined) throw new NotFound(`No ${kind} has the id ${truncate(id, 100)}.`)
  return record
}
