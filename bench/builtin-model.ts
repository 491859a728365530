/**
 * `npm run bench:model` measures the built-in embedding model: alone, and in a service that answers questions and lists with
 * it. The service has `--companies` companies, 100,000 at DATABASE_URL, or 20,000 in an embedded database. The benchmark exits
 * with 1 if a goal is missed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { embeddingText } from '#src/features/search/embedding-text.ts'
import { loadConfig } from '#src/platform/config/config.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { openBuiltinEmbedder } from '#src/platform/embeddings/builtin-embedder.ts'
import { BROAD_WORDS, nameOf } from './companies.ts'
import { INVENTED_COMPANIES } from './evaluation/invented-companies.ts'
import { fillIndexed } from './indexed-companies.ts'
import type { Place } from './load.ts'
import { type Load, measure } from './measure.ts'
import { server } from './options.ts'
import { type Running, startSearchService } from './processes.ts'
import { quantile } from './quantile.ts'
import { withDatabase } from './stage.ts'

const { values } = parseArgs({ strict: false, options: { companies: { type: 'string' } } })
const companies = Number(values.companies ?? (server ? 100_000 : 20_000))

const TEXTS = 300
const WARM_UP_TEXTS = 30
const QUESTIONS = 300
/** In a description of about 300 characters. */
const SENTENCES = 5
const THESES = 10
const CRITERIA = 12
const IMPORTED = 600
/** What a team of analysts may send. */
const LISTS: Load = { connections: 4, maxRate: 100 }
const IDLE_SECONDS = 15

const GOALS = {
  companiesPerSecond: 30,
  questionMs: 60,
  matchesMs: 300,
  memoryMb: 350,
  slowdown: 1.3,
}

function report(what: string, value: number, unit: string, isMet?: boolean): void {
  const verdict = isMet === undefined ? '' : isMet ? '  met' : '  NOT MET'
  if (isMet === false) process.exitCode = 1
  console.log(`${what.padEnd(64)}${`${value.toFixed(value < 10 ? 2 : 1)} ${unit}`.padStart(20)}${verdict}`)
}

const model = loadConfig({}).embeddings.model
if (!model) throw new Error('There is no built-in model.')

/** The rate is per second of CPU time, of all threads, so that other programs do not change it. */
async function measureAlone(): Promise<void> {
  const embedder = openBuiltinEmbedder(pino({ level: 'silent' }))
  const embed = (texts: string[]) =>
    embedder.embed(model as NonNullable<typeof model>, texts, {
      length: undefined,
      milliseconds: 600_000,
      retries: 0,
    })
  const textsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_value, n) =>
      embeddingText({
        name: nameOf(first + n),
        industry_category: null,
        activity_description: descriptionOf(first + n),
        hq_city: null,
        country: null,
      }),
    )
  const memory = process.memoryUsage.rss()
  await embed(textsFrom(0, WARM_UP_TEXTS))
  const before = process.cpuUsage()
  await embed(textsFrom(WARM_UP_TEXTS, TEXTS))
  const { user, system } = process.cpuUsage(before)
  const rate = TEXTS / ((user + system) / 1e6)
  report('companies per second of a core', rate, '', rate >= GOALS.companiesPerSecond)
  const times: number[] = []
  for (let n = 0; n < QUESTIONS; n++) {
    const start = performance.now()
    await embed([nextQuestion()])
    times.push(performance.now() - start)
  }
  report('a question without its search, p95', quantile(times, 0.95), 'ms')
  const added = (process.memoryUsage.rss() - memory) / 1024 / 1024
  report('memory added', added, 'MB', added <= GOALS.memoryMb)
  await embedder.close()
}

/** A description in English: words that no language has would be split into more pieces, which take longer. */
const descriptionOf = (n: number): string =>
  Array.from(
    { length: SENTENCES },
    (_value, sentence) =>
      INVENTED_COMPANIES[(n * 7 + sentence * 11) % INVENTED_COMPANIES.length]?.description,
  ).join(' ')

const QUESTIONS_IN_ENGLISH = INVENTED_COMPANIES.flatMap(({ question }) => question ?? [])

let asked = 0

/** Another question with a word that one company in ten has. The service remembers the vectors of previous ones. */
function nextQuestion(): string {
  const n = asked++
  const { length } = QUESTIONS_IN_ENGLISH
  const words = (index: number, count: number) =>
    QUESTIONS_IN_ENGLISH[index % length]?.split(' ').slice(0, count) ?? []
  return [...words(n, 5), ...words(Math.floor(n / length), 2), BROAD_WORDS[n % BROAD_WORDS.length]].join(' ')
}

async function measureService(place: Place): Promise<void> {
  const database = await openDatabase(place)
  await fillIndexed(database.db, database.background, companies, model as NonNullable<typeof model>)
  await database.close()
  const service = await startSearchService(place)
  try {
    await measureQuestions(service)
    await measureMatches(service)
    await measureLists(service)
  } finally {
    await service.stop()
  }
}

async function measureQuestions({ url }: Running): Promise<void> {
  const question = () => ({ path: `/api/companies/search/semantic?q=${encodeURIComponent(nextQuestion())}` })
  await measure(url, question, { connections: 1, amount: 20 })
  const { p50, p95 } = await measure(url, question, { connections: 1, amount: QUESTIONS })
  report(`a question, ${companies} companies, p50`, p50, 'ms')
  report(`a question, ${companies} companies, p95`, p95, 'ms', p95 <= GOALS.questionMs)
}

async function measureMatches(service: Running): Promise<void> {
  const { url } = service
  const ids: string[] = []
  for (let n = 0; n < THESES; n++) ids.push(await createThesis(service, n))
  let next = 0
  const matches = () => ({ path: `/api/theses/${ids[next++ % ids.length]}/matches` })
  const first = await measure(url, matches, { connections: 1, amount: THESES })
  report('matches of a thesis, first time, p50', first.p50, 'ms')
  const { p95 } = await measure(url, matches, { connections: 1, amount: 10 * THESES })
  report('matches of a thesis, p95', p95, 'ms', p95 <= GOALS.matchesMs)
}

async function createThesis({ url }: Running, n: number): Promise<string> {
  const { data } = await post<{ data: { id: string } }>(url, '/api/theses', {
    code: `BENCH-${n}`,
    title: nextQuestion(),
    summary: nextQuestion(),
    criteria: Array.from({ length: CRITERIA }, (_value, index) => ({
      text: nextQuestion(),
      weight: 1,
      kind: index < 2 ? 'must' : 'nice',
      negative: index === CRITERIA - 1,
    })),
  })
  return data.id
}

/** Lists while the service embeds imported companies, and while it does not. */
async function measureLists(service: Running): Promise<void> {
  const { url } = service
  const list = () => ({ path: '/api/companies?status=active' })
  await measure(url, list, { ...LISTS, seconds: 5 })
  const idle = await measure(url, list, { ...LISTS, seconds: IDLE_SECONDS })
  const rows = Array.from(
    { length: IMPORTED },
    (_value, n) => `"Imported ${nameOf(companies + n)}","${descriptionOf(n).replaceAll('"', '""')}"`,
  )
  await post(url, '/api/companies/import', `name,activity_description\n${rows.join('\n')}\n`, 'text/csv')
  const start = performance.now()
  const embedding = embedded(service)
  const busy = await measure(url, list, { ...LISTS, until: embedding })
  const seconds = ((await embedding) - start) / 1000
  report('companies embedded per second in the background', IMPORTED / seconds, '')
  report('p99 of lists without that', idle.p99, 'ms')
  const slowdown = busy.p99 / idle.p99
  report('p99 of lists during that, relative', slowdown, '', slowdown <= GOALS.slowdown)
}

/** Resolves with the time when no company waits for its vector. */
async function embedded({ url }: Running): Promise<number> {
  for (;;) {
    const answer = await fetch(`${url}/api/companies/search/status`, { headers: HEADERS })
    const { data } = (await answer.json()) as { data: { waiting: number; models: { waiting: number }[] } }
    if (data.waiting + (data.models[0]?.waiting ?? 0) === 0) return performance.now()
    await sleep(500)
  }
}

const HEADERS = { 'x-user-email': 'bench@example.com' }

async function post<T>(url: string, path: string, body: unknown, type = 'application/json'): Promise<T> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

await measureAlone()
await withDatabase(measureService)
