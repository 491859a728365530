/**
 * Returns the body without its read-only fields, whatever they hold, so that a record that was read can be changed and
 * sent back. `If-Match` guards against lost updates, not a stale `updated_at`.
 * @param readOnly the read-only names that the body's schema accepts
 */
export const withoutReadOnly = <T extends object>(body: T, readOnly: readonly string[]): T =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name))) as T
