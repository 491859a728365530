import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createPostgres } from '#src/testing/database.ts'
import { load, type Place } from './load.ts'
import { server } from './options.ts'
import { type Running, startLimit, startService } from './processes.ts'

/** Runs the service or the upper bound, one at a time: only one process can open the embedded database. */
export class Stage {
  #running: { kind: string; process: Running } | undefined
  readonly #place: Place

  constructor(place: Place) {
    this.#place = place
  }

  async service(): Promise<Running> {
    return this.#run('service', startService)
  }

  async limit(): Promise<Running> {
    return this.#run('limit', startLimit)
  }

  async #run(kind: string, start: (place: Place) => Promise<Running>): Promise<Running> {
    if (this.#running?.kind === kind) return this.#running.process
    await this.stop()
    this.#running = { kind, process: await start(this.#place) }
    return this.#running.process
  }

  async stop(): Promise<void> {
    await this.#running?.process.stop()
    this.#running = undefined
  }
}

export async function withDatabase<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-bench-'))
  const database = server ? await createPostgres(server) : undefined
  try {
    return await work({ databaseUrl: database?.url, dataFolder })
  } finally {
    await database?.drop()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

/** Loads a new database and runs `work`; afterwards stops all processes and removes the data. */
export async function onStage<T>(
  size: number,
  work: (stage: Stage, ids: string[], place: Place) => Promise<T>,
): Promise<T> {
  return withDatabase(async (place) => {
    const ids = await load(place, size)
    const stage = new Stage(place)
    return work(stage, ids, place).finally(() => stage.stop())
  })
}
