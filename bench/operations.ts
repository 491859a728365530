import { createRandom } from '#src/cli/demo/random.ts'
import { BROAD_WORDS, companyOf, OLD_WORD, RARE_WORDS, WITHOUT_OLD_WORD } from './companies.ts'
import type { Load, Request } from './measure.ts'
import { alone, companies, few, usual } from './options.ts'

const next = createRandom(1)
const pick = (limit: number) => Math.floor(next() * limit)

export interface Operation {
  name: string
  load: Load
  request: () => Request
}

const LIST = '/api/companies?status=active&country_code='
export const list: Operation = {
  name: 'filtered list of 50, with its total',
  load: usual,
  request: () => ({ path: LIST + ['DE', 'FR', 'GB', 'ES', 'IT'][pick(5)] }),
}

const rareWord = (): Request => ({ path: `/api/companies?search=${RARE_WORDS[pick(RARE_WORDS.length)]}` })

/** The number in a company's name: a hard case, because its parts are common. */
const rareNumber = (): Request => ({ path: `/api/companies?search=%20${pick(companies).toString(36)}` })

const broadWord = (): Request => ({ path: `/api/companies?search=${BROAD_WORDS[pick(BROAD_WORDS.length)]}` })
const anyOffset = (): Request => ({ path: `/api/companies?offset=${pick(companies)}` })
const SHORT_SEARCHES = ['k', 'e', 'x', '7', 'ka', 'qu', 'os', 'zz', 'wi', '1a']

/** Operations that the plain statement is no measure for. */
export function unlimitedOperations(): Operation[] {
  let short = 0
  return [
    {
      name: `search whose matches lie behind ${WITHOUT_OLD_WORD.toLocaleString('en')} newer companies, 1 connection`,
      load: alone,
      request: () => ({ path: `/api/companies?search=${OLD_WORD}&offset=${50 * pick(20)}` }),
    },
    {
      name: 'search of one or two characters, first time',
      load: { connections: 1, amount: SHORT_SEARCHES.length },
      request: () => ({ path: `/api/companies?search=${SHORT_SEARCHES[short++ % SHORT_SEARCHES.length]}` }),
    },
    {
      name: 'search of one or two characters, 1 connection',
      load: alone,
      request: () => ({ path: `/api/companies?search=${SHORT_SEARCHES[pick(SHORT_SEARCHES.length)]}` }),
    },
  ]
}

/** Operations that run while companies are created. */
export const besideWriter: Operation[] = [
  ...readBesideWriter(few),
  ...(usual.connections > few.connections ? readBesideWriter(usual) : []),
]

function readBesideWriter(load: Load): Operation[] {
  const name = (what: string) => `${what}, ${load.connections} connections`
  return [
    { name: name('page at any offset'), load, request: anyOffset },
    { name: name(`search that matches ${companies / 10}`), load, request: broadWord },
  ]
}

let created = 0
export const creation = (): Request => ({ method: 'POST', path: '/api/companies', body: newBody(created++) })

export function operations(ids: string[]): Operation[] {
  let broad = 0
  return [
    list,
    {
      name: 'filtered lists of 50, with their totals, each different',
      load: usual,
      request: () => ({ path: `${list.request().path}&offset=${pick(1000)}` }),
    },
    {
      name: 'one company in detail',
      load: usual,
      request: () => ({ path: `/api/companies/${ids[pick(ids.length)]}` }),
    },
    { name: 'search for a rare word', load: usual, request: rareWord },
    { name: 'search for a rare word, 1 connection', load: alone, request: rareWord },
    { name: 'search for a number in a name', load: usual, request: rareNumber },
    { name: 'search for a number in a name, 1 connection', load: alone, request: rareNumber },
    {
      name: `search that matches ${companies / 10}, first time`,
      load: { connections: 1, amount: BROAD_WORDS.length },
      request: () => ({ path: `/api/companies?search=${BROAD_WORDS[broad++ % BROAD_WORDS.length]}` }),
    },
    {
      name: `search that matches ${companies / 10}`,
      load: usual,
      request: broadWord,
    },
    { name: 'page at any offset', load: usual, request: anyOffset },
    { name: 'page at any offset, 1 connection', load: alone, request: anyOffset },
    { name: 'creation, with its activity', load: usual, request: creation },
  ]
}

function newBody(n: number): string {
  const { name, country, country_code, hq_city, industry_category, activity_description } = companyOf(
    companies + n,
  )
  return JSON.stringify({ name, country, country_code, hq_city, industry_category, activity_description })
}
