import { stringify } from 'csv-stringify/sync'
import { demoCompanies } from '#src/cli/demo/companies.ts'
import { itemAt, type Random } from '#src/cli/demo/random.ts'

/** Texts with marks in both Unicode forms, other scripts, and characters outside the basic plane. */
const NAMES = [
  'Müller & Söhne GmbH',
  'Mu\u0308ller\u00a0Anlagen\u200b AG',
  'Łódzkie Zakłady S.A.',
  '日本電産株式会社',
  'ООО «Ромашка»',
  'Ｒｏｅ Systems',
  'Acme 🚀 Robotics, Inc.',
  'O\'Brien "Quoted"; Ltd\tTab',
  'שלום בע״מ',
  'x'.repeat(300),
]
const DESCRIPTIONS = [
  'Builds autonomous forklifts for cold storage.\nSecond line, with ½ and €.',
  'Sells batteries for grid\u00a0balancing 🔋 to utilities.',
  'Entwickelt Prüfgeräte für Schweißnähte.',
  null,
]

/** The fields of a company: all of them, some, or only its name. */
export function company(n: number, random: Random, theses: string[], isRich: boolean): object {
  const name = `${itemAt(NAMES, n)} ${n}`
  if (n % 6 === 5) return { name }
  const score = Math.floor(random() * 101)
  return {
    name,
    country: random(['Germany', 'Schweiz', null]),
    country_code: random(['DE', 'CH', 'PL', null]),
    hq_city: random(['Zürich', 'Saint-Étienne', null]),
    industry_category: random(['Robotics', 'Energy storage', 'Medizintechnik', null]),
    activity_description: random(DESCRIPTIONS),
    status: random(['active', 'active', 'inactive', 'watch_list']),
    thesis_id: random([...theses.slice(0, 3), null]),
    website: n % 3 ? `https://company-${n}.example/über?q=1` : null,
    founded_year: random([1899, 2024, null]),
    employee_count: random([0, 10_000_000, 42, null]),
    revenue_eur: random([0, 0.1, 1234567.89, 1_000_000_000_000_000, null]),
    llm_score_overall: random([score, null]),
    llm_score_details: random([{ summary: 'Gut „genug“', criteria: [{ name: 'Team', score }] }, null]),
    executives: random([
      [
        { name: 'Zoë Ångström', title: 'CEO', email: 'zoe@company.example', since: 2019 },
        { name: '王 小明', title: null },
      ],
      [],
      null,
    ]),
    financials: random([
      { '2024': { revenue_eur: 1.5, ebitda_eur: -2 }, note: 'geschätzt', nested: { deep: [1, null, 'ä'] } },
      {},
      null,
    ]),
    ...(isRich && richFields(n, random)),
  }
}

/** Companies that a search finds first, by their words alone and by their meaning. */
export const searchableCompanies = [
  {
    name: 'Zeitwerk Schwarzwald',
    activity_description: 'Restores cuckoo clocks from the Black Forest. Repariert Kuckucksuhren.',
  },
  { name: 'Gnomon Atelier', activity_description: 'Gießt Sonnenuhren aus Messing für Parks und Kirchen.' },
] as const

function richFields(n: number, random: Random): object {
  return {
    tags: random([['B2B', 'Familienunternehmen'], ['A\u00a0B', 'B2B'], []]),
    owner_email: random(['ada@example.com', 'ben@example.com', null]),
    custom: {
      heat: 'Hot ♨',
      segments: n % 2 ? ['Öffentliche Hand', 'Retail'] : [],
      remarks: `Line ${n}\nwith\u00a0a space`,
      ticket: n * 1000.5,
      head_count: n - 3,
      met_on: '2026-02-28',
      is_regulated: n % 2 === 0,
      homepage: 'https://custom.example/ä',
      contact: 'person@custom.example',
      sponsor: 'ada@example.com',
      nickname: n % 4 ? `Nick ${n}` : null,
    },
  }
}

/** A custom field of each type. */
export function companyFields(): object[] {
  const labels = ['Hot ♨', 'Warm', 'Kalt']
  const field = (key: string, type: string, more: object = {}) => ({
    entity: 'company',
    key,
    label: `Feld ${key}`,
    type,
    ...more,
  })
  return [
    field('heat', 'select', { options: labels.map((label) => ({ label })) }),
    field('segments', 'multi_select', { options: [{ label: 'Öffentliche Hand' }, { label: 'Retail' }] }),
    field('remarks', 'long_text'),
    field('nickname', 'text'),
    field('ticket', 'money', { currency: 'CHF' }),
    field('head_count', 'number'),
    field('met_on', 'date'),
    field('is_regulated', 'boolean'),
    field('homepage', 'url'),
    field('contact', 'email'),
    field('sponsor', 'user'),
  ]
}

export function dealFields(): object[] {
  return [
    { entity: 'deal', key: 'lead_investor', label: 'Führender Investor', type: 'text' },
    { entity: 'deal', key: 'is_exclusive', label: 'Exklusiv', type: 'boolean' },
  ]
}

/** The fields of a deal, apart from its company. */
export function variedDeal(n: number, random: Random, isRich: boolean): object {
  return {
    ...(n % 4 && { stage: 'initial', status: 'active' }),
    probability: random([0, 100, 35, null]),
    notes: random(['Erstgespräch am Montag\nMit  zwei\u00a0Leerzeichen', '', null, '🤝']) || null,
    ...(isRich && {
      owner_email: random(['chiara@example.com', null]),
      amount_eur: random([2_500_000.55, 0, null]),
      round: random(['Series\u00a0A', 'Seed', null]),
      valuation_eur: random([18_000_000, null]),
      ownership_percent: random([12.5, 100, null]),
      source: random(['Empfehlung von Zoë', null]),
      expected_close_on: random(['2026-12-31', '2024-02-29', null]),
      custom: { lead_investor: `Fonds ${n}`, is_exclusive: n % 2 === 0 },
    }),
  }
}

/** A thesis with all fields, some, or only those that are required. */
export function thesis(n: number, hasCriteria: boolean): object {
  const required = { code: `TH-${n}-Ä`, title: `These „${n}“ 🧭` }
  if (n === 4) return required
  const criteria = [
    { text: 'Makes robots for warehouses', weight: 3 },
    { text: 'Not a consultancy', negative: true },
  ]
  return {
    ...required,
    summary: n % 2 ? null : 'Robots\u00a0and batteries for Europe’s warehouses.',
    report_markdown: `# Bericht ${n}\n\n| a | b |\n|---|---|\n| ½ | € |\n\n${'Absatz. '.repeat(50)}`,
    status: n === 2 ? 'draft' : 'active',
    ...(hasCriteria && n % 2 === 0 && { criteria }),
  }
}

const IMPORTED = 60

/** A file to import; the second one changes a part of the first, and has rows that are rejected. */
export function importedCsv(which: 'first' | 'second'): string {
  const rows = demoCompanies()
    .slice(0, IMPORTED)
    .map(({ thesis_code, tags, ...row }) => ({ ...row, 'Unbekannte Spalte': 'ü' }))
  if (which === 'first') return stringify(rows, { header: true })
  const changed = rows.slice(0, 30).map((row) => ({ ...row, hq_city: 'Umgezogen', employee_count: '' }))
  const rejected = [
    { ...changed[0], name: '', website: '' },
    { ...changed[1], name: 'Bad year', website: '', founded_year: 'soon' },
  ]
  return stringify([...changed, ...rejected], { header: true })
}
