import assert from 'node:assert/strict'
import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ended, launch, type RunningProcess } from '#dev/processes.ts'
import { Keyring } from '#src/platform/encryption/keyring.ts'
import { contextOf, readSecretsStatus } from '#src/platform/encryption/sealed-columns.ts'
import { SEALED_COLUMNS } from '#src/sealed-columns.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import {
  type KillableService,
  killableService,
  killService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'

const TOKENS = 4000
const KILLS = 10
const MAX_LIFE_MS = 400
/** Only PostgreSQL is shared by several. */
const PROCESSES = testServer ? 2 : 1

after(removeServices)

/** Stores tokens as versions before 0062 do. */
async function fill({ openData }: KillableService): Promise<string[]> {
  const { db, close } = await openData()
  const { rows } = await sql<{ token: string }>`
    insert into notification_settings (user_email) select 'user-' || n || '@example.com'
    from generate_series(1, ${sql.lit(TOKENS)}) n returning unsubscribe_token as token`.execute(db)
  await close()
  return rows.map(({ token }) => token).toSorted()
}

async function storedTokens({ openData }: KillableService, keyring: Keyring): Promise<string[]> {
  const { db, close } = await openData()
  const { rows } = await sql<{ hash: string; sealed: string }>`
    select hash, sealed from unsubscribe_tokens`.execute(db)
  const column = SEALED_COLUMNS[0] as (typeof SEALED_COLUMNS)[number]
  const tokens = await Promise.all(
    rows.map(async ({ hash, sealed }) => {
      const token = await keyring.open(sealed, contextOf(column, hash))
      assert.equal(hash, createHash('sha256').update(token).digest('hex'))
      return token
    }),
  )
  assert.deepEqual(await readSecretsStatus(db, keyring, SEALED_COLUMNS), {
    ...{ current: TOKENS, previous: 0, plain: 0 },
    missing: new Map(),
  })
  await close()
  return tokens.toSorted()
}

test('processes killed at any point lose no token, in plain text or encrypted with a previous key', async (t) => {
  const random = loggedRandom(t)
  const service = await killableService({})
  const tokens = await fill(service)
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const keys = (current: Buffer, previous?: Buffer) => ({
    ENCRYPTION_KEY: current.toString('base64'),
    ENCRYPTION_PREVIOUS_KEYS: previous?.toString('hex'),
  })
  const start = async (settings: object): Promise<RunningProcess> => {
    const own = { ...service.settings, ...settings }
    const started = launch('sealed-columns.fixture.ts', own.DATA_DIR as string, own)
    await eventually(async () => assert.match(started.log(), /^sealing/m), { timeoutMs: 60_000 })
    return started
  }
  const startAll = (settings: object) => Promise.all(Array.from({ length: PROCESSES }, () => start(settings)))
  const status = async (settings: object) => {
    const env = { ...service.settings, ...settings } as NodeJS.ProcessEnv
    const { status, output } = await runCommandLine(['secrets', 'status'], { env })
    const lines = output.trim().split('\n')
    const counts = [...output.matchAll(/: (\d+)\./g)].map(([, count]) => Number(count))
    return [status, counts, lines.at(-1)] as const
  }
  const unsealed = `Not encrypted yet: ${TOKENS}. The running service encrypts them.`
  assert.deepEqual(await status(keys(first)), [1, [0, TOKENS], unsealed])
  let killedInTheMiddle = 0
  for (const settings of [keys(first), keys(second, first)]) {
    for (let kill = 0; kill < KILLS / 2; kill++) {
      const running = await startAll(settings)
      await sleep(random() * MAX_LIFE_MS)
      for (const each of running) {
        if (!/^done/m.test(each.log())) killedInTheMiddle += 1
        await killService(each)
      }
    }
    if (settings.ENCRYPTION_PREVIOUS_KEYS) {
      const [code, [current, previous]] = await status(settings)
      assert.deepEqual([code, (current as number) + (previous ?? 0)], [previous ? 1 : 0, TOKENS])
    }
    for (const { child, log } of await startAll(settings)) assert.equal(await ended(child), 0, log())
  }
  t.diagnostic(`${killedInTheMiddle} killed in the middle`)
  assert.ok(killedInTheMiddle > 0)
  assert.deepEqual(await storedTokens(service, new Keyring(createSecretKey(second))), tokens)

  assert.deepEqual(await status(keys(second)), [0, [TOKENS], 'Previous keys can be removed.'])
})
