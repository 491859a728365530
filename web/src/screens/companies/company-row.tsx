import { memo } from 'react'
import { type Column, nothing } from './columns.tsx'
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
  /** What is marked in name and description. */
  words: readonly string[]
  thesisCode: string | undefined
  isByMeaning: boolean
  setSelected: SetSelected
}

/** Drawn again only when something in it changes: typing and selecting leave the other ninety-nine alone. */
export const CompanyRow = memo(function CompanyRow(props: CompanyRowProps) {
  const { company, columns, words, thesisCode, isByMeaning, setSelected } = props
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
      {isByMeaning && (
        <td className={classes.cell}>
          {company.similarity !== undefined && <Similarity share={company.similarity} />}
        </td>
      )}
      {columns.map(({ key, isNumber, cell }) => (
        <td key={key} className={classes.cell} data-number={isNumber || undefined}>
          {cell(company, thesisCode) ?? nothing}
        </td>
      ))}
    </tr>
  )
})
