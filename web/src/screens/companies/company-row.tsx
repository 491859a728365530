import { memo } from 'react'
import { type Column, emptyCell } from './columns.tsx'
import shared from './company.module.css'
import { CompanyLink } from './company-link.tsx'
import { excerptOf, findMatches } from './folded-text.ts'
import type { ListedCompany } from './list-query.ts'
import { MarkedText } from './marked-text.tsx'
import { SelectCompany } from './select-company.tsx'
import type { SetSelected } from './selection.ts'
import { Similarity } from './similarity.tsx'
import classes from './table.module.css'

interface CompanyRowProps {
  company: ListedCompany
  columns: readonly Column[]
  /** Highlighted in the name and the description. */
  words: readonly string[]
  thesisCode: string | undefined
  isSemantic: boolean
  setSelected: SetSelected
}

/** Memoized: typing and selecting must not render the other rows. */
export const CompanyRow = memo(function CompanyRow(props: CompanyRowProps) {
  const { company, columns, words, thesisCode, isSemantic, setSelected } = props
  const description = company.activity_description
  return (
    <tr className={classes.row}>
      <td className={classes.cell} data-fixed="select">
        <SelectCompany company={company} setSelected={setSelected} />
      </td>
      <td className={classes.cell} data-fixed="name">
        <CompanyLink id={company.id}>
          <MarkedText pieces={findMatches(company.name, words)} />
        </CompanyLink>
        {description && (
          <span className={shared.description} dir="auto">
            <MarkedText pieces={excerptOf(description, words)} />
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
      {columns.map(({ key, isNumber, cell }) => (
        <td key={key} className={classes.cell} data-number={isNumber || undefined}>
          {cell(company, thesisCode) ?? emptyCell}
        </td>
      ))}
    </tr>
  )
})
