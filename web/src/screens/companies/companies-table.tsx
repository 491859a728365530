import { Box } from '@mantine/core'
import { Fragment, type KeyboardEvent, memo, type Ref, type UIEvent, useCallback, useRef } from 'react'
import { strings } from '#strings/companies.ts'
import cards from './cards.module.css'
import type { Column } from './columns.tsx'
import type { CompanySort } from './companies-search.ts'
import { CompanyCard } from './company-card.tsx'
import { CompanyRow } from './company-row.tsx'
import type { ListedCompany } from './list-query.ts'
import { type SetSelected, selection } from './selection.ts'
import classes from './table.module.css'
import { TableHead } from './table-head.tsx'
import { useChunks } from './use-chunks.ts'

/** A list this short ends above the selection bar. */
const SHORT_LIST_ROWS = 8
const NAME_WIDTH = 270
const SELECT_WIDTH = 44
const SIMILARITY_WIDTH = 124

export interface CompaniesTableProps {
  rows: ListedCompany[]
  columns: readonly Column[]
  words: readonly string[]
  theses: ReadonlyMap<string, string>
  sort: CompanySort | undefined
  sortBy: (sort: CompanySort | undefined) => void
  isSemantic: boolean
  isCompact: boolean
  isNarrow: boolean
  /** Whether the rows still belong to the previous query. */
  isStale: boolean
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  regionRef: Ref<HTMLDivElement>
}

/** A page of companies: a table with its own scroll area, or cards on narrow screens. */
export const CompaniesTable = memo(function CompaniesTable(props: CompaniesTableProps) {
  const { rows, columns, theses, isSemantic, isNarrow } = props
  const chunks = useChunks(rows, props.words)
  const setSelected = useRangeSelection(rows)
  const of = (company: ListedCompany, words: readonly string[]) => ({
    company,
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
    onKeyDown: props.onKeyDown,
    mod: { stale: props.isStale, compact: props.isCompact, short: rows.length <= SHORT_LIST_ROWS },
  }
  if (isNarrow)
    return (
      <Box {...region} className={cards.cards}>
        <ul className={cards.list}>
          {chunks.map((chunk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: chunks are identified by position
            <Fragment key={index}>
              {chunk.rows.map((company) => (
                <CompanyCard key={company.id} {...of(company, chunk.words)} />
              ))}
            </Fragment>
          ))}
        </ul>
      </Box>
    )
  const width = columns.reduce((sum, column) => sum + column.width, NAME_WIDTH + SELECT_WIDTH)
  return (
    <Box {...region} className={classes.region} onScroll={markScrolled}>
      <table
        className={classes.table}
        style={{ minWidth: width + (isSemantic ? SIMILARITY_WIDTH : 0) }}
        aria-label={strings.table}
      >
        <colgroup>
          <col style={{ width: SELECT_WIDTH }} />
          <col />
          {isSemantic && <col style={{ width: SIMILARITY_WIDTH }} />}
          {columns.map((column) => (
            <col key={column.key} style={{ width: column.width }} />
          ))}
        </colgroup>
        <TableHead
          columns={columns}
          rows={rows}
          sort={props.sort}
          sortBy={props.sortBy}
          isSemantic={isSemantic}
        />
        <tbody>
          {chunks.map((chunk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: chunks are identified by position
            <Fragment key={index}>
              {chunk.rows.map((company) => (
                <CompanyRow
                  key={company.id}
                  {...of(company, chunk.words)}
                  columns={columns}
                  isSemantic={isSemantic}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Box>
  )
})

/** Sets an attribute instead of React state, so that no row renders. */
const markScrolled = ({ currentTarget: list }: UIEvent<HTMLElement>): void => {
  list.toggleAttribute('data-scrolled', list.scrollLeft !== 0)
}

const NO_WORDS: readonly string[] = []

/** Selects a company, or with Shift every company since the last one clicked. */
function useRangeSelection(rows: readonly { id: string }[]): SetSelected {
  const shown = useRef(rows)
  shown.current = rows
  const last = useRef<string | null>(null)
  return useCallback((id, isSelected, isRange) => {
    const ids = shown.current.map((row) => row.id)
    const from = isRange && last.current ? ids.indexOf(last.current) : -1
    const to = ids.indexOf(id)
    last.current = id
    selection.set(from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1), isSelected)
  }, [])
}
