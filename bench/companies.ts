import { createRandom } from '#src/cli/demo/random.ts'

/** Fictional companies for benchmarks. The same number always returns the same company. */

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ren',
  'tos',
  'vel',
  'dra',
  'shu',
  'pin',
  'gor',
  'bex',
  'fal',
  'nim',
  'qua',
  'sti',
]
const ENDINGS = [
  'ta',
  'ri',
  'mon',
  'sel',
  'duk',
  'fen',
  'gli',
  'hap',
  'ior',
  'kes',
  'lum',
  'nav',
  'ost',
  'pre',
  'ruv',
]
const COUNTRIES = [
  ['DE', 'Germany', 'Berlin'],
  ['FR', 'France', 'Lyon'],
  ['GB', 'United Kingdom', 'Leeds'],
  ['ES', 'Spain', 'Valencia'],
  ['IT', 'Italy', 'Turin'],
  ['NL', 'Netherlands', 'Utrecht'],
  ['SE', 'Sweden', 'Malmö'],
  ['PL', 'Poland', 'Kraków'],
  ['AT', 'Austria', 'Graz'],
  ['PT', 'Portugal', 'Porto'],
] as const

/** Each of these words appears in one of ten descriptions. */
export const BROAD_WORDS = [
  'logistics',
  'insurance',
  'robotics',
  'catering',
  'pharmacy',
  'mobility',
  'forestry',
  'analytics',
]

/** This word appears in one of ten descriptions, except for the newest companies. */
export const OLD_WORD = 'shipbuilding'
export const WITHOUT_OLD_WORD = 40_000

/** Each of these words appears in one of 50,000 descriptions. */
export const RARE_WORDS = [
  'zebrafish',
  'xylophone',
  'quokka',
  'jacuzzi',
  'kumquat',
  'yachting',
  'wigwam',
  'oxygen',
]

const word = (n: number) =>
  `${SYLLABLES[n % 15]}${ENDINGS[Math.floor(n / 15) % 15]}${SYLLABLES[Math.floor(n / 225) % 15]}`

/** A name with rare parts. */
export const nameOf = (n: number): string => {
  const title = word(Math.imul(n, 2_654_435_761) >>> 4)
  return `${title[0]?.toUpperCase()}${title.slice(1)} ${n.toString(36)}`
}

/** The fields of company number `n`. */
export function companyOf(n: number) {
  const next = createRandom(n)
  const [country_code, country, hq_city] = COUNTRIES[Math.floor(next() * 10)] ?? COUNTRIES[0]
  const words = Array.from({ length: 30 }, () => word(Math.floor(next() ** 2 * 3375)))
  const broad = BROAD_WORDS.filter((_word, index) => (n + index) % 10 === 0)
  const rare = RARE_WORDS.filter((_word, index) => n % 50_000 === index)
  const revenue = Math.round(next() * 1e7)
  return {
    name: nameOf(n),
    country,
    country_code,
    hq_city,
    industry_category: `Industry ${Math.floor(next() * 30)}`,
    activity_description: [...words, ...broad, ...rare].join(' '),
    status: ['active', 'active', 'active', 'inactive', 'acquired'][Math.floor(next() * 5)] as string,
    website: `https://company-${n}.example`,
    founded_year: 1950 + Math.floor(next() * 75),
    employee_count: Math.floor(next() * 500),
    revenue_eur: revenue,
    llm_score_overall: Math.floor(next() * 101),
    executives: [
      { name: 'Anna Schmidt', title: 'Chief Executive Officer' },
      { name: 'Jean Dupont', title: 'Chief Financial Officer' },
    ],
    financials: {
      2023: { revenue_eur: Math.round(revenue * 0.8), ebitda_eur: Math.round(revenue * 0.08) },
      2024: { revenue_eur: Math.round(revenue * 0.9), ebitda_eur: Math.round(revenue * 0.09) },
      2025: { revenue_eur: revenue, ebitda_eur: Math.round(revenue * 0.1) },
    },
  }
}
