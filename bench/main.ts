/** `npm run bench -- --companies 1000000` compares the service to its upper bound, on a database of its own. */
import os from 'node:os'
import { measureEmbedding, measureScoring } from './bulk-actions.ts'
import { fileTextOperations, loadFiles } from './file-texts.ts'
import { measureFiles } from './files.ts'
import { measureChangeBytes, measureHistory } from './history.ts'
import { measureImport, measurePeopleImport } from './import.ts'
import { load, type Place } from './load.ts'
import { type Figures, measure } from './measure.ts'
import { loadNotes, noteOperations } from './notes.ts'
import {
  besideWriter,
  creation,
  list,
  type Operation,
  operations,
  unlimitedOperations,
} from './operations.ts'
import {
  companies,
  customFields,
  files,
  importRows,
  notes,
  only,
  reminders,
  searchCompanies,
  seconds,
  server,
  trash,
  usual,
} from './options.ts'
import type { Running } from './processes.ts'
import { measureReminders } from './reminders.ts'
import {
  number,
  printEmbedding,
  printFiles,
  printHistory,
  printImport,
  printReminders,
  printRest,
  printRevocations,
  printRow,
  printScoring,
  printSearch,
  printSessions,
} from './report.ts'
import { measureRest } from './rest.ts'
import { measureRevocations } from './revocations.ts'
import { measureSearch } from './search.ts'
import { measureSessions } from './sessions.ts'
import { onStage, type Stage, withDatabase } from './stage.ts'
import { loadTimeline, timelineOperations } from './timeline.ts'
import { measureWithWriter } from './writer.ts'

/** Until then, a new process spends a large part of its time on compiling its code. */
const WARM_UP_SECONDS = 5

/** Opens connections and compiles code. Operations that measure first-time requests are warmed up with others. */
async function warmUp({ url }: Running, { load, request }: Operation): Promise<void> {
  const seconds = WARM_UP_SECONDS
  await measure(url, load.amount ? list.request : request, { connections: load.connections, seconds })
}

async function measureBoth(stage: Stage, { name, load, request }: Operation): Promise<Figures> {
  const service = await stage.service()
  await warmUp(service, { name, load, request })
  const figures = await measure(service.url, request, load)
  const limit = await stage.limit()
  await warmUp(limit, { name, load, request })
  const bound = await measure(limit.url, request, load)
  const ratio = figures.rate / bound.rate
  // A plain offset is so slow that few of its requests finish.
  printRow(name, figures, ratio > 20 ? 'over 20' : ratio.toFixed(2))
  return figures
}

async function measureUnlimited(stage: Stage): Promise<void> {
  const service = await stage.service()
  for (const operation of unlimitedOperations()) {
    await warmUp(service, operation)
    printRow(operation.name, await measure(service.url, operation.request, operation.load), '')
  }
  for (const operation of besideWriter) {
    await warmUp(service, operation)
    const { reads, created } = await measureWithWriter(service, operation, creation)
    const name = `${operation.name}, while ${number(created)} companies/s are created`
    printRow(name, reads, '')
  }
}

async function benchHistory(stage: Stage, ids: string[], place: Place): Promise<void> {
  const figures = await measureHistory(await stage.service(), ids, trash, usual)
  // Only one process can open the embedded database.
  await stage.stop()
  printHistory(figures, await measureChangeBytes(place))
}

console.log(
  `${server ? 'PostgreSQL' : 'Embedded'}, ${number(companies)} companies, ${usual.connections} connections, ` +
    `${os.cpus().length} cores (${os.cpus()[0]?.model}), Node ${process.version}\n`,
)
function printTableHead(): void {
  console.log('\n| operation | requests/s | p50 ms | p95 ms | p99 ms | ratio to the limit |')
  console.log('|---|---:|---:|---:|---:|---:|')
}

async function measureOperations(stage: Stage, ids: string[]): Promise<void> {
  printTableHead()
  for (const operation of operations(ids)) await measureBoth(stage, operation)
  await measureUnlimited(stage)
}

async function measureNotes(stage: Stage, ids: string[], place: Place): Promise<void> {
  // Only one process can open the embedded database.
  await stage.stop()
  await loadNotes(place, ids, notes)
  console.log(`\nWith ${number(notes)} notes:`)
  printTableHead()
  for (const operation of noteOperations(ids)) {
    const { p95 } = await measureBoth(stage, operation)
    if (operation.maxMs !== undefined && p95 > operation.maxMs) process.exitCode = 1
  }
}

async function measureFileTexts(stage: Stage, ids: string[], place: Place): Promise<void> {
  await stage.stop()
  await loadFiles(place, ids, files)
  console.log(`\nWith ${number(files)} files of 20 pages:`)
  printTableHead()
  for (const operation of fileTextOperations()) {
    const { p95 } = await measureBoth(stage, operation)
    if (operation.maxMs !== undefined && p95 > operation.maxMs) process.exitCode = 1
  }
}

async function measureTimeline(stage: Stage, ids: string[], place: Place): Promise<void> {
  await stage.stop()
  const company = ids[0] as string
  await loadTimeline(place, company)
  printTableHead()
  for (const operation of timelineOperations(company)) {
    const { p95 } = await measureBoth(stage, operation)
    if (operation.maxMs !== undefined && p95 > operation.maxMs) process.exitCode = 1
  }
}

/** A file of people may have more, up to 200,000. */
const MAX_PEOPLE = 20_000

async function measureImports(stage: Stage): Promise<void> {
  printImport(await measureImport(await stage.service(), importRows))
  const people = Math.min(importRows, MAX_PEOPLE)
  printImport(await measurePeopleImport(await stage.service(), people), 'people with their companies')
  if (customFields === 0) return
  console.log(`\nThe same with ${customFields} custom fields, which it creates:`)
  printImport(await measureImport(await stage.service(), importRows, customFields))
}

/** Measures that need the loaded companies, in their order: each leaves more of them behind. */
const STAGE_PARTS: Record<string, (stage: Stage, ids: string[], place: Place) => Promise<void>> = {
  operations: measureOperations,
  notes: measureNotes,
  'file-texts': measureFileTexts,
  timeline: measureTimeline,
  import: measureImports,
  history: benchHistory,
  sessions: async (stage) => printSessions(await measureSessions(await stage.service(), usual)),
}
/** Measures with a database of their own. */
const PARTS: Record<string, () => Promise<void>> = {
  'small-list': async () => {
    const figures = await onStage(10_000, measureList)
    printTableHead()
    printRow('the same list over 10,000 companies', figures, '')
  },
  files: () => withDatabase(async (place) => printFiles(await measureFiles(place, seconds))),
  search: async () => {
    if (searchCompanies === 0) return
    await withDatabase(async (place) => {
      await load(place, searchCompanies)
      printSearch(await measureSearch(place, searchCompanies))
    })
  },
  // The embedded database at rest.
  ...(!server && { rest: () => withDatabase(async (place) => printRest(await measureRest(place))) }),
  // These need PostgreSQL.
  ...(server && {
    reminders: async () => printReminders(await withDatabase((place) => measureReminders(place, reminders))),
    revocations: async () => printRevocations(await withDatabase(measureRevocations)),
    embedding: async () => printEmbedding(await withDatabase(measureEmbedding)),
    scoring: async () => printScoring(await withDatabase(measureScoring)),
  }),
}

async function measureList(stage: Stage): Promise<Figures> {
  const service = await stage.service()
  await warmUp(service, list)
  return measure(service.url, list.request, list.load)
}

const names = [...Object.keys(STAGE_PARTS), ...Object.keys(PARTS)]
if (only !== undefined && !names.includes(only))
  throw new Error(
    `--only must be one of ${names.join(', ')} (others ${server ? 'without' : 'with'} DATABASE_URL), not ${only}.`,
  )
const isWanted = ([name]: [string, unknown]) => only === undefined || only === name
const onLoaded = Object.entries(STAGE_PARTS).filter(isWanted)
if (onLoaded.length > 0)
  await onStage(companies, async (stage, ids, place) => {
    for (const [, run] of onLoaded) await run(stage, ids, place)
  })
for (const [, run] of Object.entries(PARTS).filter(isWanted)) await run()
