import { memo } from 'react'
import { strings } from '#strings/companies.ts'
import { countryName } from '#web/format/countries.ts'
import { excerptOf, findMatches } from '#web/format/folded-text.ts'
import { formatCompactEuros, formatWord } from '#web/format/format.ts'
import classes from '#web/lists/cards.module.css'
import type { SetSelected } from '#web/lists/select-record.tsx'
import { MarkedText } from '#web/ui/marked-text.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import { NewMark } from '#web/views/new-mark.tsx'
import type { ListedCompany } from '../../list-query.ts'
import { CompanyLink } from './company-link.tsx'
import { SelectCompany } from './select-company.tsx'
import { Similarity } from './similarity.tsx'

/** In characters. */
const EXCERPT = { visible: 60, lead: 14 }

interface CompanyCardProps {
  company: ListedCompany
  words: readonly string[]
  /** Whether a company of the list has a logo. Otherwise monograms would only repeat the names. */
  hasLogos: boolean
  thesisCode: string | undefined
  /** Whether it has entered the open view since the user last looked. */
  isNew: boolean
  setSelected: SetSelected
}

/** A company on narrow screens. */
export const CompanyCard = memo(function CompanyCard({
  company,
  words,
  hasLogos,
  thesisCode,
  isNew,
  setSelected,
}: CompanyCardProps) {
  const { country, country_code: code, hq_city: city, activity_description: description } = company
  const facts = [
    formatWord(company.status),
    [city, code ? countryName(code) : country].filter(Boolean).join(', '),
    company.industry_category,
    company.revenue_eur === null ? null : formatCompactEuros(company.revenue_eur),
    thesisCode && `${strings.thesis} ${thesisCode}`,
  ].filter(Boolean)
  return (
    <li className={classes.card}>
      <SelectCompany company={company} setSelected={setSelected} />
      {isNew && <NewMark />}
      <div className={classes.cardText}>
        <CompanyLink company={company} hasLogos={hasLogos}>
          <MarkedText pieces={findMatches(company.name, words)} />
        </CompanyLink>
        {description && (
          <span className={classes.cardDescription} dir="auto">
            <MarkedText pieces={excerptOf(description, words, EXCERPT)} />
          </span>
        )}
        <span className={classes.cardFacts}>
          {facts.map((fact) => (
            <bdi key={fact}>{fact}</bdi>
          ))}
        </span>
        {company.similarity !== undefined && (
          <Similarity share={company.similarity} shares={company.shares} />
        )}
      </div>
      {company.llm_score_overall !== null && <ScoreBadge score={company.llm_score_overall} />}
    </li>
  )
})
