import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended, killAll, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { createRandom } from '#src/cli/demo/random.ts'
import { createClient } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { killService } from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { ada, NO_RATE_LIMITS } from '#src/testing/settings.ts'
import { VersionApi } from './api.fixture.ts'
import { extractVersion, NotAvailable } from './code.fixture.ts'
import { type Difference, differencesBetween } from './compare.fixture.ts'
import { losses, reasonsFor } from './differences.fixture.ts'
import { type Filled, fillVersion } from './fill.fixture.ts'
import { checkNewFeatures } from './new-features.fixture.ts'
import { emptyPlace, type Place } from './place.fixture.ts'
import { readAgain, readWhenQuiet, type Snapshot } from './snapshot.fixture.ts'

const KILLS = 10
/** Of the duration of an upgrade. Before the first point the service only loads its code. */
const FIRST_KILL = 0.2
const LAST_KILL = 1.2
/** Of the records of an older version. They are always the same, as the table of differences expects. */
const DATA_SEED = 1
/** For background work after an upgrade, on a machine that is several times slower than usual. */
const QUIET_TIMEOUT_MS = 300_000

const settings = { ...NO_RATE_LIMITS, EMBEDDINGS: 'builtin', LLM: 'builtin' }

interface Service {
  baseUrl: string
  process: RunningProcess
  /** How long it took until it was ready, in milliseconds. */
  startup: number
}

async function start(place: Place, main = 'main.ts'): Promise<Service> {
  const port = String(await freePort())
  const began = performance.now()
  const process = launch(main, place.settings.DATA_DIR, { ...settings, ...place.settings, PORT: port })
  const baseUrl = `http://localhost:${port}`
  await ready(baseUrl, process)
  return { baseUrl, process, startup: performance.now() - began }
}

async function stop({ process: { child } }: Service): Promise<void> {
  child.kill('SIGTERM')
  await ended(child)
}

/** Tests upgrades of a database that an older version has made and filled, by the code of its commit. */
export function testUpgradesOf(commit: string): void {
  describe(`a database made by the version ${commit}`, () => {
    let folder: string
    let notAvailable: string | undefined
    let original: Place | undefined
    let filled: Filled
    let stored: Snapshot
    let duration: number

    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-version-'))
      try {
        const main = await extractVersion(commit, path.join(folder, 'code'))
        original = await emptyPlace()
        const service = await start(original, main)
        const api = await VersionApi.of(service.baseUrl)
        filled = await fillVersion(api, createRandom(DATA_SEED))
        stored = await readWhenQuiet(api)
        await stop(service)
      } catch (error) {
        if (!(error instanceof NotAvailable)) throw error
        notAvailable = error.message
      }
    })

    after(async () => {
      await killAll()
      await original?.remove()
      await rm(folder, { recursive: true, force: true })
    })

    test('is upgraded without loss, and can do what is new', async (t) => {
      if (!original) return t.skip(notAvailable)
      const place = await original.copy()
      const service = await start(place)
      duration = service.startup
      const differences = await checkStored(service, stored)
      const { listed, found } = reasonsFor(commit, differences)
      assert.deepEqual(found, listed)
      await checkNewFeatures(
        createClient({ baseUrl: service.baseUrl, headers: { 'x-user-email': ada } }),
        filled,
      )
      await killService(service.process)
      await place.remove()
      t.diagnostic(`${stored.size} requests compared, upgraded in ${Math.round(duration)} ms`)
    })

    test(`is upgraded without loss after the upgrade was killed at any of ${KILLS} moments`, async (t) => {
      if (!original) return t.skip(notAvailable)
      const random = loggedRandom(t)
      const outcomes = { 'before it was ready': 0, 'when it was ready': 0 }
      for (let kill = 0; kill < KILLS; kill++) {
        const place = await original.copy()
        const point = FIRST_KILL + ((kill + random()) / KILLS) * (LAST_KILL - FIRST_KILL)
        const killed = launch('main.ts', place.settings.DATA_DIR, {
          ...settings,
          ...place.settings,
          PORT: String(await freePort()),
        })
        await sleep(point * duration)
        outcomes[killed.log().includes('is listening') ? 'when it was ready' : 'before it was ready'] += 1
        await killService(killed)
        const service = await start(place)
        await checkStored(service, partOf(stored, kill))
        await killService(service.process)
        await place.remove()
      }
      t.diagnostic(`killed: ${JSON.stringify(outcomes)}`)
      assert.ok(outcomes['before it was ready'] > 0)
    })
  })
}

/** All lists, totals and searches, and a tenth of what is read about single records: each of them after one kill. */
function partOf(stored: Snapshot, kill: number): Snapshot {
  const singleRecord = /^\/(?:api\/[a-z-]+|assets\/companies)\/[a-z]+_/
  const isIncluded = ([request]: [string, unknown], index: number) =>
    !singleRecord.test(request) || index % KILLS === kill
  return new Map([...stored].filter(isIncluded))
}

/** Reads what the older version answered until nothing is missing. Returns the deliberate differences. */
async function checkStored({ baseUrl }: Service, stored: Snapshot): Promise<Difference[]> {
  const api = await VersionApi.of(baseUrl)
  return eventually(
    async () => {
      const differences = differencesBetween(stored, await readAgain(api, stored.keys()))
      assert.deepEqual(losses(differences).map(describeLoss), [])
      return differences
    },
    { timeoutMs: QUIET_TIMEOUT_MS, intervalMs: 1000 },
  )
}

const describeLoss = ({ place, before, after }: Difference): string =>
  `${place}: ${JSON.stringify(before)?.slice(0, 500)} has become ${JSON.stringify(after)?.slice(0, 500)}`
