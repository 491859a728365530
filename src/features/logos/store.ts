import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** A longer host cannot be that of a website. PostgreSQL counts no further either. */
const MAX_HOST_LENGTH = 255

/** The origin of a website, in lower case; null if it has a user name or is too long. */
export const originOf = (website: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  lower(substring(${website} from ${sql.lit(`(?i)^https?://[^/?#@\\s]{1,${MAX_HOST_LENGTH}}(?=[/?#]|$)`)})) collate "C"`

const address = sql`'/api/companies/' || companies.id || '/logo?v=' || logos.version`
const isLogoOfCompany = sql`logos.origin = ${originOf(sql`companies.website`)}`
/** Without logos, which is the default, no row's website is read. */
const hasLogos = sql`(select exists (select from logos))`

/** The path of the logo of the company in `companies`; null if there is none. */
export const logoUrl: RawBuilder<unknown> = sql`case when ${hasLogos} then (
  select ${address} from logos where ${isLogoOfCompany}) end`

/** The path of the logo of the company with the id; null if there is none. */
export const logoUrlOf = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`case when ${hasLogos} then (
  select ${address} from companies join logos on ${isLogoOfCompany} where companies.id = ${id}) end`

export interface Logo {
  png: Buffer
  version: string
}

/** A company's logo: undefined if there is no such company, null if the company has no logo. */
export async function readLogo(db: Db, companyId: string): Promise<Logo | null | undefined> {
  const { rows } = await sql<{ png: Uint8Array | null; version: string }>`
    select logos.png, logos.version from companies
    left join logos on logos.origin = ${originOf(sql`companies.website`)} where companies.id = ${companyId}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return undefined
  return row.png && { png: Buffer.from(row.png), version: row.version }
}
