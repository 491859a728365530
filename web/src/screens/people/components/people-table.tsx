import { Box } from '@mantine/core'
import { type CSSProperties, memo, type Ref } from 'react'
import type { SortKey } from '#src/client/limits.ts'
import { strings } from '#strings/people.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { Person } from '#web/api/service.ts'
import type { TableColumn } from '#web/columns/column.ts'
import { ColumnTable, TableRegion } from '#web/columns/column-table.tsx'
import { rowCells } from '#web/columns/row-cells.tsx'
import { SelectPage } from '#web/columns/select-page.tsx'
import classes from '#web/columns/table.module.css'
import type { ColumnActions } from '#web/columns/use-column-actions.ts'
import cards from '#web/lists/cards.module.css'
import { PEOPLE } from '#web/lists/list-position.ts'
import { RecordLink } from '#web/lists/record-link.tsx'
import { SelectRecord, type SetSelected } from '#web/lists/select-record.tsx'
import { useRangeSelection } from '#web/lists/use-range-selection.ts'
import { Monogram } from '#web/ui/monogram.tsx'
import { NewMark } from '#web/views/new-mark.tsx'
import type { SelectedPeople } from '../hooks/use-selected-people.ts'
import { type Cell, CompanyText } from './columns.tsx'

/** Small enough for the compact rows. */
const MARK_SIZE = 18
/** A list this short ends above the selection bar. */
const SHORT_LIST_ROWS = 8

interface PeopleTableProps {
  rows: readonly Person[]
  /** The name first. */
  columns: readonly TableColumn<Cell>[]
  columnActions: ColumnActions
  /** The people who are new in the open view. */
  newIds: ReadonlySet<string>
  /** Absent if the user may not do anything with a selection. */
  selected: SelectedPeople | undefined
  sort: string | undefined
  sortBy: (keys: SortKey[]) => void
  isCompact: boolean
  isNarrow: boolean
  /** Whether the rows still belong to the previous query. */
  isStale: boolean
  regionRef: Ref<HTMLDivElement>
}

const preload = (id: string) => {
  queryClient.prefetchQuery(queries.person(id))
}

const NOT_SELECTED = () => {}

/** A page of people: a table with its own scroll area, or cards on narrow screens. */
export function PeopleTable(props: PeopleTableProps) {
  const { rows, columns, columnActions, newIds, selected, isStale } = props
  const setSelected = useRangeSelection(rows, selected?.set ?? NOT_SELECTED)
  const of = (person: Person): RowProps => ({
    person,
    isNew: newIds.has(person.id),
    isSelected: selected?.has(person.id) ?? false,
    setSelected: selected && setSelected,
  })
  const region = {
    ref: props.regionRef,
    role: 'region',
    'aria-label': strings.table,
    'aria-busy': isStale,
    tabIndex: 0,
    // A name is alone in its cell.
    style: { '--line': 'block' } as CSSProperties,
    mod: { stale: isStale, compact: props.isCompact, short: rows.length <= SHORT_LIST_ROWS },
  }
  if (props.isNarrow)
    return (
      <Box {...region} className={cards.cards}>
        <ul className={cards.list}>
          {rows.map((person) => (
            <PersonCard key={person.id} {...of(person)} />
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
        select={selected && <SelectPeople rows={rows} selected={selected} isStale={isStale} />}
      >
        <tbody>
          {rows.map((person) => (
            <PersonRow key={person.id} {...of(person)} columns={columns} />
          ))}
        </tbody>
      </ColumnTable>
    </TableRegion>
  )
}

interface SelectPeopleProps {
  rows: readonly Person[]
  selected: SelectedPeople
  isStale: boolean
}

/** The checkbox that selects everyone on the page. */
function SelectPeople({ rows, selected, isStale }: SelectPeopleProps) {
  const count = rows.filter(({ id }) => selected.has(id)).length
  const share = count === 0 ? 'none' : count < rows.length ? 'some' : 'all'
  const toggle = () =>
    selected.set(
      rows.map(({ id }) => id),
      share !== 'all',
    )
  return <SelectPage {...{ share, isStale, toggle }} />
}

interface RowProps {
  person: Person
  /** Whether the person has entered the open view since the user last looked. */
  isNew: boolean
  isSelected: boolean
  setSelected: SetSelected | undefined
}

/** Memoized: typing and selecting must not render the other rows. */
const PersonRow = memo(function PersonRow(props: RowProps & { columns: readonly TableColumn<Cell>[] }) {
  const { person, columns, isNew, isSelected, setSelected } = props
  return (
    <tr className={classes.row}>
      {setSelected && (
        <td className={classes.cell} data-fixed="select">
          <SelectRecord record={person} isSelected={isSelected} setSelected={setSelected} />
        </td>
      )}
      <td className={classes.cell} data-fixed="first">
        {isNew && <NewMark />}
        <PersonLink person={person} />
      </td>
      {rowCells(columns, (cell) => cell(person))}
    </tr>
  )
})

const PersonLink = ({ person: { id, name } }: { person: Person }) => (
  <RecordLink
    list={PEOPLE}
    id={id}
    preload={preload}
    mark={<Monogram name={name} size={MARK_SIZE} isPerson />}
  >
    {name}
  </RecordLink>
)

/** A person on narrow screens. */
const PersonCard = memo(function PersonCard({ person, isNew, isSelected, setSelected }: RowProps) {
  const [company] = person.companies
  const facts = [person.emails[0], person.phones[0], person.location].filter((fact) => fact)
  return (
    <li className={cards.card}>
      {setSelected && <SelectRecord record={person} isSelected={isSelected} setSelected={setSelected} />}
      {isNew && <NewMark />}
      <div className={cards.cardText}>
        <PersonLink person={person} />
        {(company || person.headline) && (
          <span className={cards.cardDescription} dir="auto">
            {company ? <CompanyText company={company} /> : person.headline}
          </span>
        )}
        <span className={cards.cardFacts}>
          {facts.map((fact) => (
            <bdi key={fact}>{fact}</bdi>
          ))}
        </span>
      </div>
    </li>
  )
})
