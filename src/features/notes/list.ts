import { type RawBuilder, sql } from 'kysely'
import { aboutOf } from '#src/features/activity/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import { canSeeInList } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, isOneOf, type JsonPage, jsonArray } from '#src/platform/database/sql.ts'
import { type FilterCaller, filterConditions, sortOrder } from '#src/platform/filter/query.ts'
import { type PageRequest, pageOf } from '#src/platform/schema/shapes.ts'
import { hasParticipant, isAboutOrWith, noteSearchFields } from './fields.ts'
import { passageOf, searchedWords, wordsQuery } from './passage.ts'
import type { ListedNote, NoteFilters, NoteQuery } from './schema.ts'
import { linkedNote, listedTo, noteFields } from './store.ts'

const BY_TIME = sql`order by happened_at desc, id desc`

/** @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function listNotes(
  db: Db,
  caller: FilterCaller,
  { sort, limit, offset, ...filters }: NoteQuery,
): Promise<JsonPage> {
  const where = await noteConditions(caller, filters)
  if (!filters.search && !filters.parent_id && !filters.mentions) where.push(sql`parent_id is null`)
  const order = sortOrder(sort, noteSearchFields) ?? defaultOrder(filters)
  const { search } = filters
  const notes = { where, order, countsFound: search !== undefined }
  const page = await readNotes(db, notes, pageOf({ limit, offset }))
  return search ? withPassages(page, search) : page
}

function defaultOrder({ about, parent_id }: NoteFilters): RawBuilder<unknown> {
  if (parent_id) return sql`order by id`
  return about ? sql`order by pinned desc, happened_at desc, id desc` : BY_TIME
}

/**
 * Finds the notes of the page first: their links and texts are read for them alone.
 * @param countsFound whether all notes that match are found anyway, so that they are counted on the way
 */
async function readNotes(
  db: Db,
  {
    where,
    order,
    countsFound,
  }: { where: RawBuilder<unknown>[]; order: RawBuilder<unknown>; countsFound: boolean },
  { limit, offset }: PageRequest,
): Promise<JsonPage> {
  const matching = sql`from notes where ${all(where)}`
  const found = countsFound ? sql`count(*) over ()` : sql`null::int8`
  const page = sql`select ${noteFields} from notes where id in (select id from found) ${order}`
  const { rows } = await sql<JsonPage>`
    with found as materialized (
      select id, ${found} as total ${matching} ${order} limit ${limit} offset ${offset})
    select (${jsonArray(page)}) as records,
      coalesce((select max(total) from found), (select count(*) ${matching}))::float8 as total`.execute(db)
  return rows[0] as JsonPage
}

/** The conditions of a list and of an export. @throws InvalidInput for a filter that is wrong */
export async function noteConditions(
  caller: FilterCaller,
  filters: NoteFilters,
): Promise<RawBuilder<unknown>[]> {
  const { search, about, kind, author_email, mentions, participant, parent_id, pinned, visibility } = filters
  const where = [
    ...listedTo(caller.email === null ? null : { email: caller.email }, canSeeInList),
    ...(await filterConditions(filters.filter, noteSearchFields, caller)),
  ]
  if (search) where.push(searchCondition(search))
  if (about) where.push(isAboutOrWith([about].flat()))
  if (kind) where.push(isOneOf('kind', kind))
  if (author_email) where.push(isOneOf('author_email', author_email))
  if (mentions) where.push(sql`mentions && ${[mentions].flat()}::text[]`)
  if (participant) where.push(hasParticipant([participant].flat()))
  if (parent_id) where.push(isOneOf('parent_id', parent_id))
  if (pinned !== undefined) where.push(sql`pinned = ${pinned}`)
  if (visibility) where.push(isOneOf('visibility', visibility))
  return where
}

/** The condition that the title and the body have words that begin with all words of a search. */
function searchCondition(search: string): RawBuilder<unknown> {
  const query = wordsQuery(search)
  return query ? sql`search_words @@ ${query}` : sql`false`
}

function withPassages({ records, total }: JsonPage, search: string): JsonPage {
  const words = searchedWords(search)
  const notes: ListedNote[] = JSON.parse(records)
  return {
    records: JSON.stringify(notes.map((note) => ({ ...note, passage: passageOf(note.body, words) }))),
    total,
  }
}

/** A note that was found by its words, with the text around them. */
interface FoundNote extends Pick<ListedNote, 'id' | 'visibility' | 'about'> {
  /** Its title, or its first line. */
  name: string
  passage: string
}

/** A few of the notes that a search finds, last first. */
export async function findNotes(db: Db, viewer: Viewer, search: string, limit: number): Promise<FoundNote[]> {
  const { rows } = await sql<Omit<FoundNote, 'passage'> & { body: string }>`
    select id, note_name(title, body) as name, body, visibility, ${aboutOf(linkedNote)} as about from (
      select * from notes where ${all([...listedTo(viewer), searchCondition(search)])} ${BY_TIME} limit ${limit}) notes
    ${BY_TIME}`.execute(db)
  const words = searchedWords(search)
  return rows.map(({ body, ...note }) => ({ ...note, passage: passageOf(body, words).text }))
}
