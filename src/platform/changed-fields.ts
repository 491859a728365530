import { isDeepStrictEqual } from 'node:util'

/** The names of the fields in `patch` whose values differ from `before`. */
export const changedFields = <T extends object>(before: object, patch: T): (keyof T & string)[] =>
  (Object.keys(patch) as (keyof T & string)[]).filter(
    (field) => !isDeepStrictEqual((before as T)[field], patch[field]),
  )
