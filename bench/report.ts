import { CONCURRENCY, type EmbeddingFigures, type ScoringFigures } from './bulk-actions.ts'
import type { FileFigures } from './files.ts'
import type { HistoryFigures } from './history.ts'
import type { ImportFigures } from './import.ts'
import type { Figures } from './measure.ts'
import { restSeconds, searchCompanies, server } from './options.ts'
import type { ReminderFigures } from './reminders.ts'
import type { RestFigures } from './rest.ts'
import type { RevocationFigures } from './revocations.ts'
import type { SearchBench } from './search.ts'
import type { SessionFigures } from './sessions.ts'

export const number = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })

export function printRow(name: string, { rate, p50, p95, p99 }: Figures, ratio: string): void {
  console.log(`| ${name} | ${[rate, p50, p95, p99].map(number).join(' | ')} | ${ratio} |`)
}

export function printImport({ rows, seconds, idle, peak }: ImportFigures, noun = 'rows'): void {
  console.log(
    `\nImport of ${number(rows)} ${noun} over HTTP: ${number(rows / seconds)} rows/s; ` +
      `memory ${number(idle)} MB idle, up to ${number(peak - idle)} MB more during the import.`,
  )
}

/** Limits for history in milliseconds at p95, for an undo of 10,000 records in seconds, and for the rate of lists. */
const MAX_HISTORY_MS = 10
const MAX_AS_OF_MS = 20
const MAX_UNDO_SECONDS = 20
const MAX_CHANGE_BYTES = 400
const MIN_RATIO = 0.95

export function printHistory(figures: HistoryFigures, changeBytes: number): void {
  const { history, asOf, records, seconds, idleLists, lists, trashed, emptyTrash, fullTrash } = figures
  const slowdown = lists.p99 / idleLists.p99
  const ratio = fullTrash.rate / emptyTrash.rate
  console.log(
    `\nHistory of a company: ${number(history.p95)} ms at p95; as it was (as_of): ${number(asOf.p95)} ms. Undo of an import of ` +
      `${number(records)} rows: ${number(seconds)} s; p99 of lists ${slowdown.toFixed(2)} times that without it (${number(idleLists.p99)} ms). ` +
      `Lists with ${number(trashed)} companies in the trash: ${ratio.toFixed(2)} times the rate without them (${number(emptyTrash.rate)} requests/s). ` +
      `The change of a field takes ${number(changeBytes)} bytes at the median.`,
  )
  if (
    changeBytes > MAX_CHANGE_BYTES ||
    ratio < MIN_RATIO ||
    history.p95 > MAX_HISTORY_MS ||
    asOf.p95 > MAX_AS_OF_MS ||
    seconds > MAX_UNDO_SECONDS ||
    slowdown > MAX_LIST_SLOWDOWN
  )
    process.exitCode = 1
}

/** The limit for the cost of a session. */
const MAX_VERIFICATION_MS = 0.1

export function printSessions({ firstMs, againMs, cookie, header }: SessionFigures): void {
  console.log(
    `\nA session: median ${firstMs.toFixed(3)} ms to verify for the first time, ${againMs.toFixed(4)} ms again; with the cookie ` +
      `${number(cookie)} requests/s, with header identity ${number(header)}, ratio ${(cookie / header).toFixed(2)}.`,
  )
  if (firstMs >= MAX_VERIFICATION_MS || cookie / header < MIN_RATIO) process.exitCode = 1
}

/** Limit for the time until another process knows. */
const MAX_REVOCATION_MS = 1000

export function printRevocations({ median, max }: RevocationFigures): void {
  console.log(
    `\nA key that one process revokes is refused by another after ${number(median)} ms at the median, ${number(max)} ms at most.`,
  )
  if (max >= MAX_REVOCATION_MS) process.exitCode = 1
}

/** The limit for 10,000 reminders, in seconds. */
const MAX_REMINDERS_SECONDS = 60

export function printReminders({ reminders, seconds, repeated }: ReminderFigures): void {
  console.log(
    `\nTwo processes mail ${number(reminders)} reminders that are due at once in ${number(seconds)} s; ${number(repeated)} of them twice.`,
  )
  if (seconds > MAX_REMINDERS_SECONDS || repeated > 0) process.exitCode = 1
}

/** The minimum speed of a cached file relative to the upper bound, and the maximum memory growth in MB. */
const MIN_FILE_RATIO = 0.5
const MAX_GROWTH = 300

export function printFiles({
  cached,
  notModified,
  limit,
  readsOfColdObject,
  memoryBefore,
  memoryAfter,
}: FileFigures): void {
  const growth = memoryAfter - memoryBefore
  console.log(
    `\nA cached profile of 20 KB: ${number(cached)} requests/s, ${(cached / limit).toFixed(2)} of the limit (${number(limit)}); ` +
      `unchanged (304) ${number(notModified)}. 1,000 concurrent requests for an uncached one: ${readsOfColdObject} read from the store. ` +
      `10,000 files of 100 KB: memory from ${number(memoryBefore)} to ${number(memoryAfter)} MB.`,
  )
  if (
    cached / limit < MIN_FILE_RATIO ||
    notModified < cached ||
    readsOfColdObject !== 1 ||
    growth > MAX_GROWTH
  )
    process.exitCode = 1
}

/** Limits for vector search by filter: p95 in milliseconds, and recall. */
const SEARCH_LIMITS: Record<string, { p95: number; recall: number }> = {
  vectors: { p95: server ? 10 : 30, recall: 0.98 },
  'vectors, a filter that keeps 1 %': { p95: server ? 40 : 30, recall: 0.95 },
}

export function printSearch({ wordsSeconds, underLoad, idle, vectorsSeconds, figures }: SearchBench): void {
  console.log(
    `\nSemantic search over ${number(searchCompanies)} companies. The service indexes their words in ${number(wordsSeconds)} s; ` +
      `list requests take ${number(underLoad.p95)} ms at p95 during indexing (p99 ${number(underLoad.p99)}), ${number(idle.p95)} (${number(idle.p99)}) after. ` +
      `The vector index (384 dimensions, clustered) is built in ${number(vectorsSeconds)} s.\n\n` +
      '| search | p50 ms | p95 ms | recall@10 | ratio to the bare statement |\n|---|---:|---:|---:|---:|',
  )
  for (const { name, p50, p95, recall, ratio } of figures) {
    const cells = [number(p50), number(p95), recall?.toFixed(3) ?? '', ratio?.toFixed(2) ?? '']
    console.log(`| ${name} | ${cells.join(' | ')} |`)
    const limits = SEARCH_LIMITS[name]
    if (limits && (p95 >= limits.p95 || (recall ?? 0) < limits.recall)) process.exitCode = 1
  }
}

/** Limits for a bulk action with one worker: companies per second, and the slowdown of lists. */
const MIN_EMBEDDED = 1500
const MAX_LIST_SLOWDOWN = 3

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export function printEmbedding({ companies, alone, underLoad, idleLists, lists }: EmbeddingFigures): void {
  const p99 = median(lists.map((figures) => figures.p99))
  const ratio = p99 / idleLists.p99
  console.log(
    `\ngenerate_embeddings over ${number(companies)} companies by one worker: ${number(median(alone))} companies/s; ` +
      `${number(median(underLoad))} with 4 connections that list companies without pause, at a p99 of ` +
      `${number(p99)} ms, ${ratio.toFixed(2)} times that without the action (${number(idleLists.p99)}).`,
  )
  if (median(alone) < MIN_EMBEDDED || ratio > MAX_LIST_SLOWDOWN) process.exitCode = 1
}

/**
 * Limits for scoring with a model that takes one second: companies per second, and the speedup by a second worker.
 */
const MIN_SCORED = 0.9 * CONCURRENCY
const MIN_SPEEDUP = 1.8

export function printScoring({ companies, max, median, one, two }: ScoringFigures): void {
  console.log(
    `\nllm_score over ${number(companies)} companies by a model that takes 1 s a call, ${CONCURRENCY} at a time: at most ${max} calls ` +
      `in flight, ${median} at the median; ${number(one)} companies/s with one worker, ${(two / one).toFixed(2)} times that with two.`,
  )
  if (max > CONCURRENCY || median < CONCURRENCY || one < MIN_SCORED || two / one < MIN_SPEEDUP)
    process.exitCode = 1
}

/** Limits for a service that nobody uses: percent of a core, and MB. */
const MAX_REST_CPU = 1
const MAX_REST_MEMORY = 400

export function printRest({ cpu, memory }: RestFigures): void {
  console.log(
    `\nThe service with five companies, ${number(restSeconds)} s after its last use: ${cpu.toFixed(2)}% of a core ` +
      `(at most ${MAX_REST_CPU}%), ${number(memory)} MB of memory (at most ${MAX_REST_MEMORY} MB).`,
  )
  if (cpu > MAX_REST_CPU || memory > MAX_REST_MEMORY) process.exitCode = 1
}
