import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type RunningProvider,
  startIdentityProvider,
} from '#dev/identity-provider.ts'
import { ended, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { startGithub } from '#dev/trackers/github.ts'
import type { TrackerServer } from '#dev/trackers/tracker-server.ts'
import { ACCOUNTS, type Account } from '#dev/users.ts'
import { createPreparedPostgres, prepareDataFolder, testServer } from '#src/testing/database.ts'
import { freePort } from '#src/testing/free-port.ts'
import { PRODUCTION } from '#src/testing/settings.ts'

export interface Service {
  url: string
  dataFolder: string
}

interface Running extends Service {
  process: RunningProcess
  drop(): Promise<void>
}

export const ALLOWED_EMAIL = 'partner@other.example'
export const LISTED_ORIGIN = 'https://app.example.com'
/** The accounts of the development provider and two more. */
const accounts: Account[] = [
  ...ACCOUNTS,
  { sub: 'listed', name: 'Pat Other', email: ALLOWED_EMAIL, email_verified: true },
  { sub: 'unclaimed', name: 'Uma Claim', email: 'uma@example.com' },
]

const running: Running[] = []
let development: Running
let production: Running
let provider: RunningProvider
let tracker: TrackerServer

/** The service in development, with default settings except for its port, folder and database. */
export const developmentService = (): Service => development

/** The service in production, with an identity provider, a tracker, one allowed origin and no language model. */
export const productionService = (): Service => production

/** The tracker of the service in production. */
export const externalTracker = (): TrackerServer => tracker

export async function startServices(): Promise<void> {
  provider = await startIdentityProvider({ accounts })
  tracker = await startGithub()
  ;[development, production] = await Promise.all([
    start(() => ({})),
    start((url) => ({
      ...PRODUCTION,
      PUBLIC_URL: url,
      HOST: 'localhost',
      IDP_ISSUER: provider.issuer,
      IDP_CLIENT_ID: CLIENT_ID,
      IDP_CLIENT_SECRET: CLIENT_SECRET,
      IDP_ASSUME_VERIFIED: 'true',
      ALLOWED_EMAILS: ALLOWED_EMAIL,
      CORS_ORIGINS: LISTED_ORIGIN,
      ...tracker.settings,
    })),
  ])
}

export async function stopServices(): Promise<void> {
  for (const { process } of running) process.child.kill('SIGTERM')
  const exitCodes = await Promise.all(running.map(({ process }) => ended(process.child)))
  await Promise.all([...running.map(({ drop }) => drop()), tracker.close(), provider.close()])
  for (const [index, code] of exitCodes.entries()) assert.equal(code, 0, running[index]?.process.log())
}

async function start(settingsAt: (url: string) => Record<string, string>): Promise<Running> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-contract-'))
  const database = testServer ? await createPreparedPostgres(testServer) : undefined
  await prepareDataFolder(path.join(folder, 'data'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const process = launch('main.ts', folder, {
    PORT: String(port),
    DATABASE_URL: database?.url,
    ...settingsAt(url),
  })
  const service = {
    url,
    dataFolder: path.join(folder, 'data'),
    process,
    drop: async () => {
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  running.push(service)
  await ready(url, process)
  return service
}
