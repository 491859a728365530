import { memo } from 'react'
import type { TableColumn } from '#web/columns/column.ts'
import { rowCells } from '#web/columns/row-cells.tsx'
import classes from '#web/columns/table.module.css'
import { droppable } from '#web/files/drop/drop-record.ts'
import { excerptOf, findMatches, hasMatch } from '#web/format/folded-text.ts'
import shared from '#web/lists/record.module.css'
import type { SetSelected } from '#web/lists/select-record.tsx'
import { MarkedText } from '#web/ui/marked-text.tsx'
import { NewMark } from '#web/views/new-mark.tsx'
import type { ListedCompany } from '../../list-query.ts'
import type { Cell } from './cells.tsx'
import { CompanyLink } from './company-link.tsx'
import { SelectCompany } from './select-company.tsx'
import { Similarity } from './similarity.tsx'

/** In characters. The passage has a line of its own, as wide as the column at its narrowest. */
const EXCERPT = { visible: 44, lead: 16 }

interface CompanyRowProps {
  company: ListedCompany
  /** The name first. */
  columns: readonly TableColumn<Cell>[]
  /** Highlighted in the name and the passage. */
  words: readonly string[]
  /** Whether a company of the list has a logo. Otherwise monograms would only repeat the names. */
  hasLogos: boolean
  thesisCode: string | undefined
  /** Whether it has entered the open view since the user last looked. */
  isNew: boolean
  isSemantic: boolean
  setSelected: SetSelected
}

/** Memoized: typing and selecting must not render the other rows. */
export const CompanyRow = memo(function CompanyRow(props: CompanyRowProps) {
  const { company, columns, words, hasLogos, thesisCode, isNew, isSemantic, setSelected } = props
  const passage = passageOf(company, words)
  return (
    <tr className={classes.row} {...droppable({ type: 'company', id: company.id, name: company.name })}>
      <td className={classes.cell} data-fixed="select">
        <SelectCompany company={company} setSelected={setSelected} />
      </td>
      <td className={classes.cell} data-fixed="first">
        {isNew && <NewMark />}
        <CompanyLink company={company} hasLogos={hasLogos}>
          <MarkedText pieces={findMatches(company.name, words)} />
        </CompanyLink>
        {passage && (
          <span className={shared.description} dir="auto">
            <MarkedText pieces={excerptOf(passage, words, EXCERPT)} />
          </span>
        )}
      </td>
      {isSemantic && (
        <td className={classes.cell}>
          {company.similarity !== undefined && (
            <Similarity share={company.similarity} shares={company.shares} />
          )}
        </td>
      )}
      {rowCells(columns, (cell) => cell(company, thesisCode))}
    </tr>
  )
})

/** The text in which the words are found, otherwise the description. */
function passageOf(
  { activity_description, website }: ListedCompany,
  words: readonly string[],
): string | null {
  const isFound = (text: string | null) => text !== null && hasMatch(text, words)
  return !isFound(activity_description) && isFound(website) ? website : activity_description
}
