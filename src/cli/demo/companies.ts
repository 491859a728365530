import { stringify } from 'csv-stringify/sync'
import { COUNTRIES, INDUSTRIES, STEMS, STRENGTHS } from './names.ts'
import { createRandom, itemAt, type Random } from './random.ts'

const COMPANY_COUNT = 360
const LAST_YEAR = 2025
const YEARS_OF_FINANCIALS = 4
const TITLES = ['Chief Executive Officer', 'Chief Technology Officer', 'Chief Financial Officer']

const TAGS = ['B2B', 'Exports', 'Family-owned', 'Founder-led', 'Hardware', 'Recurring revenue']

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
  tags: string
}

/** The invented companies of the demo. They are always the same. */
export function demoCompanies(): DemoCompany[] {
  return Array.from({ length: COMPANY_COUNT }, (_value, n) => demoCompany(n))
}

/** The companies as a CSV file to import. */
export const demoCsv = (): string => stringify(demoCompanies(), { header: true })

function demoCompany(n: number): DemoCompany {
  const random = createRandom(n)
  const industry = itemAt(INDUSTRIES, n)
  const country = random(COUNTRIES)
  const name = `${itemAt(STEMS, Math.floor(n / INDUSTRIES.length))}${itemAt(industry.endings, n + Math.floor(n / 36))} ${country.form}`
  const founded_year = 1998 + Math.floor(random() * 25)
  const financials = financialsSince(founded_year, random)
  const revenue_eur = financials[LAST_YEAR]?.revenue_eur ?? 0
  const product = random(industry.products)
  const customers = random(industry.customers)
  const strength = Math.floor(random() * STRENGTHS.length)
  const another = strength + 1 + Math.floor(random() * (STRENGTHS.length - 1))
  return {
    name,
    website: `https://www.${name.toLowerCase().split(' ')[0]}-${n + 1}.example`,
    country: country.name,
    country_code: country.code,
    hq_city: random(country.cities),
    industry_category: industry.name,
    activity_description: `Makes ${product} for ${customers}. The company ${STRENGTHS[strength]} and ${itemAt(STRENGTHS, another)}.`,
    status: random(['active', 'active', 'active', 'active', 'active', 'inactive', 'acquired']),
    thesis_code: industry.theme ?? '',
    employee_count: Math.max(4, Math.round(revenue_eur / (90_000 + random() * 80_000))),
    founded_year,
    revenue_eur,
    llm_score_overall: industry.theme ? 35 + Math.floor(random() * 60) : '',
    executives: JSON.stringify(executives(country.people, random)),
    financials: JSON.stringify(financials),
    tags: TAGS.filter(() => random() < 0.2).join('; '),
  }
}

function executives(people: string[], random: Random) {
  const first = Math.floor(random() * people.length)
  const count = Math.min(people.length, 2 + Math.floor(random() * 2))
  return TITLES.slice(0, count).map((title, index) => ({ name: itemAt(people, first + index), title }))
}

function financialsSince(
  founded: number,
  random: Random,
): Record<number, { revenue_eur: number; ebitda_eur: number }> {
  let revenue = 400_000 + random() ** 3 * 18_000_000
  const years: Record<number, { revenue_eur: number; ebitda_eur: number }> = {}
  for (let year = Math.max(founded, LAST_YEAR - YEARS_OF_FINANCIALS + 1); year <= LAST_YEAR; year++) {
    years[year] = {
      revenue_eur: roundToThousands(revenue),
      ebitda_eur: roundToThousands(revenue * (random() * 0.35 - 0.1)),
    }
    revenue *= 0.95 + random() * 0.45
  }
  return years
}

const roundToThousands = (amount: number) => Math.round(amount / 1000) * 1000
