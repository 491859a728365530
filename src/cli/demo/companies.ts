import { stringify } from 'csv-stringify/sync'
import { type Draw, drawing, of } from './drawing.ts'
import { COUNTRIES, INDUSTRIES, STEMS, STRENGTHS } from './names.ts'

const HOW_MANY = 360
const LAST_YEAR = 2025
const YEARS_OF_FINANCIALS = 4
const TITLES = ['Chief Executive Officer', 'Chief Technology Officer', 'Chief Financial Officer']

export interface DemoCompany {
  name: string
  website: string
  country: string
  country_code: string
  hq_city: string
  industry_category: string
  activity_description: string
  status: string
  thesis_code: string
  employee_count: number
  founded_year: number
  revenue_eur: number
  llm_score_overall: number | ''
  executives: string
  financials: string
}

/** The invented companies of the demo: the same ones each time. */
export function demoCompanies(): DemoCompany[] {
  return Array.from({ length: HOW_MANY }, (_value, n) => demoCompany(n))
}

/** The companies as a file for the import. */
export const demoCsv = (): string => stringify(demoCompanies(), { header: true })

function demoCompany(n: number): DemoCompany {
  const draw = drawing(n)
  const industry = of(INDUSTRIES, n)
  const country = draw(COUNTRIES)
  const name = `${of(STEMS, Math.floor(n / INDUSTRIES.length))}${of(industry.endings, n + Math.floor(n / 36))} ${country.form}`
  const founded_year = 1998 + Math.floor(draw() * 25)
  const financials = financialsFrom(founded_year, draw)
  const revenue_eur = financials[LAST_YEAR]?.revenue_eur ?? 0
  const product = draw(industry.products)
  const customers = draw(industry.customers)
  const strength = Math.floor(draw() * STRENGTHS.length)
  const another = strength + 1 + Math.floor(draw() * (STRENGTHS.length - 1))
  return {
    name,
    website: `https://www.${name.toLowerCase().split(' ')[0]}-${n + 1}.example`,
    country: country.name,
    country_code: country.code,
    hq_city: draw(country.cities),
    industry_category: industry.name,
    activity_description: `Makes ${product} for ${customers}. The company ${STRENGTHS[strength]} and ${of(STRENGTHS, another)}.`,
    status: draw(['active', 'active', 'active', 'active', 'active', 'inactive', 'acquired']),
    thesis_code: industry.theme ?? '',
    employee_count: Math.max(4, Math.round(revenue_eur / (90_000 + draw() * 80_000))),
    founded_year,
    revenue_eur,
    llm_score_overall: industry.theme ? 35 + Math.floor(draw() * 60) : '',
    executives: JSON.stringify(executives(country.people, draw)),
    financials: JSON.stringify(financials),
  }
}

function executives(people: string[], draw: Draw) {
  const first = Math.floor(draw() * people.length)
  const count = Math.min(people.length, 2 + Math.floor(draw() * 2))
  return TITLES.slice(0, count).map((title, index) => ({ name: of(people, first + index), title }))
}

function financialsFrom(
  founded: number,
  draw: Draw,
): Record<number, { revenue_eur: number; ebitda_eur: number }> {
  let revenue = 400_000 + draw() ** 3 * 18_000_000
  const years: Record<number, { revenue_eur: number; ebitda_eur: number }> = {}
  for (let year = Math.max(founded, LAST_YEAR - YEARS_OF_FINANCIALS + 1); year <= LAST_YEAR; year++) {
    years[year] = { revenue_eur: thousands(revenue), ebitda_eur: thousands(revenue * (draw() * 0.35 - 0.1)) }
    revenue *= 0.95 + draw() * 0.45
  }
  return years
}

const thousands = (amount: number) => Math.round(amount / 1000) * 1000
