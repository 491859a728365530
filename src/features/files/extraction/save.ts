import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type ClaimedVersion, releaseClaim } from './claims.ts'
import type { Extraction } from './types.ts'

/** Characters that one statement indexes. The embedded database serves nobody else in that time. */
const BATCH_CHARACTERS = 50_000

/**
 * Stores what was read from a version, in short statements, and ends its claim. Pages are kept of the version that is shown
 * alone. Nothing is stored of a file that has left for the trash, or is gone.
 */
export async function saveExtraction(
  db: Db,
  claimed: ClaimedVersion,
  { text_state, text_detail, pages, texts, details }: Extraction,
): Promise<void> {
  const { file_id, version } = claimed
  const isShown = (await readShownVersion(db, file_id)) === version
  await sql`delete from file_pages where file_id = ${file_id} and version = ${version}`.execute(db)
  if (isShown) for (const batch of batchesOf(texts)) await insertPages(db, claimed, batch)
  const isSaved = await db.transaction().execute(async (transaction) => {
    const shown = await readShownVersion(transaction, file_id)
    // Its pages are missing if it has become the version that is shown since.
    if (shown === undefined || (shown === version && !isShown)) return false
    await sql`
      update file_versions set text_state = ${text_state}, text_detail = ${text_detail}, pages = ${pages},
        details = ${details && JSON.stringify(details)}::jsonb, text_claimed_at = null, text_attempts = 0
      where file_id = ${file_id} and version = ${version} and text_state = 'pending'`.execute(transaction)
    await sql`delete from file_pages where file_id = ${file_id} and version <> ${shown}`.execute(transaction)
    return true
  })
  if (!isSaved) await releaseClaim(db, claimed)
}

/** Undefined for a file in the trash. A transaction keeps it from changing. */
async function readShownVersion(db: Db, file_id: string): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select version from files where id = ${file_id} for share`.execute(db)
  return rows[0]?.version
}

interface Page {
  page: number
  text: string
}

function* batchesOf(texts: readonly string[]): Generator<Page[]> {
  let batch: Page[] = []
  let length = 0
  for (const [index, text] of texts.entries()) {
    if (batch.length > 0 && length + text.length > BATCH_CHARACTERS) {
      yield batch
      batch = []
      length = 0
    }
    batch.push({ page: index + 1, text })
    length += text.length
  }
  if (batch.length > 0) yield batch
}

async function insertPages(db: Db, { file_id, version }: ClaimedVersion, pages: Page[]): Promise<void> {
  await sql`
    insert into file_pages (file_id, version, page, text)
    select file_id, version, page.page, page.text
    from file_versions, json_to_recordset(${JSON.stringify(pages)}::json) as page(page int, text text)
    where file_id = ${file_id} and version = ${version}`.execute(db)
}
