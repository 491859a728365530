import { Box } from '@mantine/core'
import { memo, type Ref } from 'react'
import type { SortKey } from '#src/client/limits.ts'
import { strings } from '#strings/companies.ts'
import type { TableColumn } from '#web/columns/column.ts'
import { ColumnTable, TableRegion } from '#web/columns/column-table.tsx'
import { SelectPage } from '#web/columns/select-page.tsx'
import classes from '#web/columns/table.module.css'
import type { ColumnActions } from '#web/columns/use-column-actions.ts'
import cards from '#web/lists/cards.module.css'
import { useRangeSelection } from '#web/lists/use-range-selection.ts'
import type { ListedCompany } from '../../list-query.ts'
import { selection, useSelectionState } from '../../selection.ts'
import type { Cell } from './cells.tsx'
import { CompanyCard } from './company-card.tsx'
import { CompanyRow } from './company-row.tsx'

/** A list this short ends above the selection bar. */
const SHORT_LIST_ROWS = 8

/** From the first logo that this tab shows, all pages leave room for logos: otherwise, names would jump sideways. */
let hasSeenLogo = false

interface CompaniesTableProps {
  rows: ListedCompany[]
  /** The name first. */
  columns: readonly TableColumn<Cell>[]
  columnActions: ColumnActions
  words: readonly string[]
  theses: ReadonlyMap<string, string>
  /** The companies that are new in the open view. */
  newIds: ReadonlySet<string>
  sort: string | undefined
  sortBy: (keys: SortKey[]) => void
  isSemantic: boolean
  isCompact: boolean
  isNarrow: boolean
  /** Whether the rows still belong to the previous query. */
  isStale: boolean
  /** Whether the rows are those of the page that the pager names. */
  isShown: boolean
  regionRef: Ref<HTMLDivElement>
}

/** A page of companies: a table with its own scroll area, or cards on narrow screens. */
export const CompaniesTable = memo(function CompaniesTable(props: CompaniesTableProps) {
  const { rows, columns, columnActions, words, theses, newIds, isSemantic, isNarrow } = props
  const setSelected = useRangeSelection(rows, selection.set)
  hasSeenLogo ||= rows.some(({ logo_url }) => logo_url)
  const of = (company: ListedCompany) => ({
    company,
    hasLogos: hasSeenLogo,
    isNew: newIds.has(company.id),
    words: isSemantic ? (company.matched_words ?? NO_WORDS) : words,
    thesisCode: company.thesis_id ? (theses.get(company.thesis_id) ?? company.thesis_id) : undefined,
    setSelected,
  })
  const region = {
    ref: props.regionRef,
    role: 'region',
    'aria-label': strings.table,
    'aria-busy': props.isStale,
    tabIndex: 0,
    mod: {
      ...{ stale: props.isStale, compact: props.isCompact, short: rows.length <= SHORT_LIST_ROWS },
      passages: words.length > 0,
    },
  }
  if (isNarrow)
    return (
      <Box {...region} className={cards.cards}>
        <ul className={cards.list}>
          {rows.map((company) => (
            <CompanyCard key={company.id} {...of(company)} />
          ))}
        </ul>
      </Box>
    )
  return (
    <TableRegion {...region} actions={columnActions}>
      <ColumnTable
        label={strings.table}
        columns={columns}
        actions={columnActions}
        sort={props.sort}
        sortBy={props.sortBy}
        canSort={!isSemantic}
        select={<SelectCompanies rows={rows} isStale={!props.isShown} />}
        {...(isSemantic && { afterFirst: SIMILARITY })}
      >
        <tbody>
          {rows.map((company) => (
            <CompanyRow key={company.id} {...of(company)} columns={columns} isSemantic={isSemantic} />
          ))}
        </tbody>
      </ColumnTable>
    </TableRegion>
  )
})

const SIMILARITY = {
  width: 124,
  head: (
    <th scope="col" className={classes.heading} aria-sort="descending">
      {strings.similarity}
    </th>
  ),
}

const NO_WORDS: readonly string[] = []

interface SelectCompaniesProps {
  rows: readonly { id: string }[]
  isStale: boolean
}

/** The checkbox that selects every company on the page. */
function SelectCompanies({ rows, isStale }: SelectCompaniesProps) {
  const share = useSelectionState(rows)
  const toggle = () =>
    selection.set(
      rows.map(({ id }) => id),
      share !== 'all',
    )
  return <SelectPage {...{ share, isStale, toggle }} />
}
