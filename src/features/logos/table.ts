import type { Generated } from 'kysely'

export interface LogosTable {
  /** Of the websites that have the icon, such as `https://nordlys-robotics.com`. */
  origin: string
  /** `null`: not fetched yet, or the website has none. */
  png: Buffer | null
  /** The beginning of the hash of `png`. */
  version: string | null
  /** Attempts since the last success. */
  failures: Generated<number>
  /** When it is fetched next; before 1970: it was not tried yet. */
  due_at: Generated<Date>
  /** When a company was last seen to have the website. */
  seen_at: Generated<Date>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    logos: LogosTable
  }
}
