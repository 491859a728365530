import { customKey } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { type Fields, whereListed } from '#src/platform/filter/fields.ts'
import { MAX_FILTER_LENGTH } from '#src/platform/filter/schema.ts'
import { parseSort } from '#src/platform/filter/sort.ts'
import { parseFilter } from '#src/platform/filter/tree.ts'
import { jsonBytes, shown } from '#src/platform/schema/describe-error.ts'
import { UTC } from '#src/platform/schema/time-zone.ts'
import { VIEW_RECORDS } from './records.ts'
import { VIEW_LAYOUTS, type View, type ViewContent } from './schema.ts'

/**
 * Checks the parts of a view that are saved.
 * @throws InvalidInput that names the part of the filter, the sort, the columns or the layout
 */
export async function checkContent(
  db: Db,
  { email }: { email: string },
  entity: View['entity'],
  { filter, search, sort, columns = [], layout }: Partial<ViewContent>,
): Promise<void> {
  const { readFields, search: searchConditions } = VIEW_RECORDS[entity]
  const fields = await readFields(db)
  if (search && !searchConditions)
    throw new InvalidInput('search must be null: only companies and people have it.')
  if (sort) parseSort(sort, fields)
  checkColumns(columns, fields)
  const layouts = VIEW_LAYOUTS[entity]
  if (layout !== undefined && !layouts.includes(layout))
    throw new InvalidInput(
      `layout must be ${layouts.join(' or ')} if entity is ${entity}, not ${shown(layout)}.`,
    )
  if (filter === undefined || filter === null) return
  const bytes = jsonBytes(filter)
  if (bytes > MAX_FILTER_LENGTH)
    throw new InvalidInput(`filter must be at most ${MAX_FILTER_LENGTH} bytes of JSON, not ${bytes}.`)
  parseFilter(filter, fields, { now: new Date(), email, timeZone: UTC })
}

/** Custom fields may have been deleted, which `missing` says. */
function checkColumns(columns: ViewContent['columns'], fields: Fields): void {
  const names = columns.map(({ field }) => field)
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index)
      throw new InvalidInput(`columns[${index}].field repeats ${shown(name)}. Each column can appear once.`)
    if (!fields.has(name) && customKey(name) === undefined)
      throw new InvalidInput(
        `columns[${index}].field must be the name of a field, not ${shown(name)}. ${whereListed(fields)}`,
      )
  }
}
