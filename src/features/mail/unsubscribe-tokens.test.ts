import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { createBackup } from '#src/features/backups/create.ts'
import { restoreBackup } from '#src/features/backups/restore.ts'
import { migrations } from '#src/migrations/migrations.ts'
import type { Database, Db } from '#src/platform/database/database.ts'
import { openDatabase, openPglite } from '#src/platform/database/open.ts'
import { createKeyring, Keyring, prefixOf } from '#src/platform/encryption/keyring.ts'
import { readSecretsStatus, sealStored } from '#src/platform/encryption/sealed-columns.ts'
import { sealing } from '#src/platform/encryption/sealing.ts'
import { createLogger } from '#src/platform/process/logging.ts'
import { openQueues } from '#src/platform/queue.ts'
import { createPostgres, freshDatabase, testServer } from '#src/testing/database.ts'
import { type MailService, mailService } from './mail.fixture.ts'
import { UNSUBSCRIBE_TOKENS } from './unsubscribe-tokens.ts'

const COLUMNS = [UNSUBSCRIBE_TOKENS]
const newKey = () => randomBytes(32).toString('base64')

let database: Database
let service: MailService
let company: string
const ends: (() => Promise<void>)[] = []
before(async () => {
  database = await freshDatabase()
  service = await serviceWith({})
  company = await service.company('Nordlys')
})
beforeEach(() => sql`truncate notification_settings, unsubscribe_tokens, notifications, mails`.execute(db()))
after(async () => {
  for (const end of ends.toReversed()) await end()
  await database.close()
})

const db = () => database.db
/** A further process on the same database, with these settings. */
async function serviceWith(settings: Record<string, string>): Promise<MailService> {
  const opened = await mailService(settings, { database: { ...database, close: async () => {} } })
  ends.push(opened.close)
  return opened
}
const statusOf = async ({ context }: MailService) => {
  const { missing, ...counts } = await readSecretsStatus(db(), context.keyring, COLUMNS)
  return { ...counts, missing: [...missing.values()].reduce((sum, count) => sum + count, 0) }
}

/** Mails a user. Returns the token in the address to unsubscribe. */
async function mailedToken(from: MailService, email: string): Promise<string> {
  await from.user(email)
  await from.notify(email, { company })
  const [mail] = await from.deliver()
  const [, token = ''] = /\/unsubscribe\/([^?]+)\?/.exec(mail?.headers['list-unsubscribe'] ?? '') ?? []
  assert.match(token, /^.{32,}$/)
  return token
}

const statusFor = async (token: string, at = service) =>
  (await at.call('GET', `/api/notifications/unsubscribe/${encodeURIComponent(token)}`)).status

/** Stores tokens as versions before 0062 do. */
async function storePlain(emails: readonly string[]): Promise<Map<string, string>> {
  const tokens = new Map<string, string>()
  for (const email of emails) {
    const { rows } = await sql<{ token: string }>`
      insert into notification_settings (user_email) values (${email}) returning unsubscribe_token as token`.execute(
      db(),
    )
    tokens.set(email, rows[0]?.token as string)
  }
  return tokens
}

/** Everything that the database contains, as text. */
async function storedText(of: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
    of,
  )
  const texts: (string | undefined)[] = []
  for (const { name } of rows) {
    const { rows: found } = await sql<{ text: string }>`
      select coalesce(string_agg(record::text, ''), '') as text from ${sql.table(name)} record`.execute(of)
    texts.push(found[0]?.text)
  }
  return texts.join('\n')
}

test('what the database contains unsubscribes nobody', async () => {
  const token = await mailedToken(service, 'ada@example.com')
  assert.equal(await mailedToken(service, 'ada@example.com'), token, 'all mails have the same')
  await service.call('PATCH', '/api/notifications/settings', { digest_hour: 7 })
  await service.call('PATCH', '/api/notifications/settings', { digest_hour: 9 }, asBen)
  const stored = await storedText(db())
  assert.ok(!stored.includes(token))
  const { rows } = await sql<{ hash: string; sealed: string }>`
    select hash, sealed from unsubscribe_tokens`.execute(db())
  assert.equal(rows.length, 1)
  for (const text of Object.values(rows[0] as object)) assert.notEqual(await statusFor(text), 200)
  assert.equal(await statusFor(token), 200)
  assert.deepEqual(await statusOf(service), { current: 1, previous: 0, plain: 0, missing: 0 })
})

const asBen = { headers: { 'x-user-email': 'ben@example.com' } }

test('tokens of earlier versions work before, while, and after they are encrypted', async () => {
  const emails = Array.from({ length: 230 }, (_value, index) => `user-${index}@example.com`)
  const tokens = await storePlain(emails)
  const [first, last] = [tokens.get('user-0@example.com') ?? '', tokens.get('user-229@example.com') ?? '']
  assert.equal(await statusFor(first), 200)
  assert.equal(await mailedToken(service, 'user-229@example.com'), last)
  const stop = new AbortController()
  const seal = (keyring: Keyring) => sealStored(db(), keyring, COLUMNS, stop.signal)
  const plain = UNSUBSCRIBE_TOKENS.plain as NonNullable<typeof UNSUBSCRIBE_TOKENS.plain>
  assert.equal(await plain.sealSome(db(), service.context.keyring, 100), 100)
  for (const token of [first, last]) assert.equal(await statusFor(token), 200)
  assert.deepEqual(await statusOf(service), { current: 100, previous: 0, plain: 130, missing: 0 })
  const { keyring } = service.context
  const sealed = await Promise.all([seal(keyring), seal(keyring)])
  assert.equal(sealed[0] + sealed[1], 130)
  assert.deepEqual(await statusOf(service), { current: 230, previous: 0, plain: 0, missing: 0 })
  const stored = await storedText(db())
  for (const token of tokens.values()) assert.ok(!stored.includes(token))
  for (const token of [first, last]) assert.equal(await statusFor(token), 200)
  assert.equal(await mailedToken(service, 'user-229@example.com'), last)
})

test('without the key, mails get new addresses, those in earlier mails work, and the log names the setting', async () => {
  const [key, otherKey] = [newKey(), newKey()]
  const before = await serviceWith({ ENCRYPTION_KEY: key })
  const token = await mailedToken(before, 'ada@example.com')
  const without = await serviceWith({ ENCRYPTION_KEY: otherKey })
  assert.deepEqual(await statusOf(without), { current: 0, previous: 0, plain: 0, missing: 1 })
  const { keyring, log } = without.context
  await sealing({ db: db(), keyring, log }, COLUMNS)()
  assert.deepEqual(await statusOf(without), { current: 0, previous: 0, plain: 0, missing: 1 }, 'it stays')
  const named = () => without.log.filter((line) => line.includes('Add the previous ENCRYPTION_KEY')).length
  assert.equal(named(), 1)
  const next = await mailedToken(without, 'ada@example.com')
  assert.notEqual(next, token)
  assert.equal(named(), 2)
  for (const each of [token, next]) assert.equal(await statusFor(each, without), 200)
  assert.equal(await mailedToken(without, 'ada@example.com'), next)
  assert.deepEqual(await statusOf(without), { current: 1, previous: 0, plain: 0, missing: 0 })
  assert.ok(!without.log.join('').includes(key) && !without.log.join('').includes(otherKey))
})

test('a sealed token that was moved to another user is not theirs', async () => {
  const [adas, bens] = [
    await mailedToken(service, 'ada@example.com'),
    await mailedToken(service, 'ben@example.com'),
  ]
  await sql`
    update unsubscribe_tokens set sealed = (select sealed from unsubscribe_tokens where user_email = 'ada@example.com')
    where user_email = 'ben@example.com'`.execute(db())
  const next = await mailedToken(service, 'ben@example.com')
  assert.ok(next !== adas && next !== bens)
  assert.ok(service.log.some((line) => line.includes('was changed or moved')))
})

test('a key is rotated while two processes send mail, and can then be removed', async () => {
  const [old, next] = [newKey(), newKey()]
  const one = await serviceWith({ ENCRYPTION_KEY: old })
  const emails = Array.from({ length: 250 }, (_value, index) => `user-${index}@example.com`)
  await storePlain(emails)
  await sealStored(db(), one.context.keyring, COLUMNS)
  const token = await mailedToken(one, 'user-3@example.com')
  // First every process knows the new key, then the new one seals.
  const knowing = await serviceWith({ ENCRYPTION_KEY: old, ENCRYPTION_PREVIOUS_KEYS: next })
  const using = await serviceWith({ ENCRYPTION_KEY: next, ENCRYPTION_PREVIOUS_KEYS: old })
  assert.deepEqual(await statusOf(using), { current: 0, previous: 250, plain: 0, missing: 0 })
  const { keyring, log } = using.context
  await sealing({ db: db(), keyring, log }, COLUMNS, 3_600_000)()
  assert.equal((await statusOf(using)).previous, 250, 'not before other processes know the key')
  const stop = new AbortController()
  const stopped = sealStored(db(), keyring, COLUMNS, stop.signal)
  stop.abort()
  const rest = 250 - (await stopped)
  assert.ok(rest > 0 && (await statusOf(using)).previous === rest)
  const mailed = async () => {
    assert.equal(await mailedToken(knowing, 'user-3@example.com'), token)
    assert.equal(await mailedToken(using, 'user-3@example.com'), token)
  }
  const [resealed, again] = await Promise.all([
    sealStored(db(), keyring, COLUMNS),
    sealStored(db(), keyring, COLUMNS),
    mailed(),
  ])
  const { rows } = await sql<{
    tokens: number
  }>`select count(*)::int as tokens from unsubscribe_tokens`.execute(db())
  assert.equal(rows[0]?.tokens, 250, 'none was replaced')
  if (resealed + again < rest) await sealing({ db: db(), keyring, log }, COLUMNS, 0)()
  const after = await serviceWith({ ENCRYPTION_KEY: next })
  assert.deepEqual(await statusOf(after), { current: 250, previous: 0, plain: 0, missing: 0 })
  assert.equal(await mailedToken(after, 'user-3@example.com'), token)
})

test('a value that cannot be opened does not keep others from being encrypted again', async () => {
  const [old, next] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))]
  await storePlain(Array.from({ length: 120 }, (_value, index) => `user-${index}@example.com`))
  await sealStored(db(), new Keyring(old), COLUMNS)
  await sql`
    update unsubscribe_tokens set sealed = left(sealed, -4) || 'AAAA'
    where hash in (select hash from unsubscribe_tokens order by hash limit 3)`.execute(db())
  const keyring = new Keyring(next, [old])
  assert.equal(await sealStored(db(), keyring, COLUMNS), 117)
  assert.equal(await sealStored(db(), keyring, COLUMNS), 0)
})

test('a backup has neither keys nor tokens, and where it is restored without the key, mail goes on', async () => {
  const key = newKey()
  const source = await serviceWith({ ENCRYPTION_KEY: key, ENCRYPTION_PREVIOUS_KEYS: newKey() })
  const token = await mailedToken(source, 'ada@example.com')
  const { config, context } = source
  const output = new PassThrough()
  const [backup] = await Promise.all([
    buffer(output),
    createBackup(
      { db: database.background, objects: context.objects, settings: config.shownSettings },
      output,
    ),
  ])
  const text = zstdDecompressSync(backup).toString('latin1')
  assert.ok(text.includes('unsubscribe_tokens') && text.includes(prefixOf(context.keyring.currentId)))
  const bytes = Buffer.from(key, 'base64')
  for (const secret of [token, key, bytes.toString('hex'), bytes.toString('base64url'), 'ENCRYPTION_'])
    assert.ok(!text.includes(secret))

  const target = await emptyDatabase()
  const queues = openQueues(target.source, await createLogger({ logLevel: 'fatal' }))
  const { createTables: createQueues } = queues
  const restoring = {
    ...{ db: target.background, objects: context.objects, migrations, createQueues },
    ...{ folder: tmpdir(), disks: { database: undefined, files: undefined } },
  }
  await restoreBackup(restoring, () => Readable.from([backup]), undefined).finally(() => queues.stop())
  const elsewhere = await mailService({}, { database: target })
  ends.push(elsewhere.close)
  const next = await mailedToken(elsewhere, 'ada@example.com')
  assert.notEqual(next, token)
  for (const each of [token, next]) assert.equal(await statusFor(each, elsewhere), 200)
})

async function emptyDatabase(): Promise<Database> {
  if (!testServer) return openPglite(undefined)
  const { url, drop } = await createPostgres(testServer)
  const opened = await openDatabase({ databaseUrl: url, dataFolder: '' })
  return { ...opened, close: () => opened.close().then(drop) }
}

test('the session secret takes the place of a key, and a key can be set later', async () => {
  const secrets = ['kX9wT2mQz7Lr5Vn8Yc3Bd6Hf1Jg4Ks0P', 'aZ4xS8cW1vE6bR9nT3mY7uQ2kI5oP0lJ']
  const before = await serviceWith({ SESSION_SECRET: secrets[0] as string })
  const token = await mailedToken(before, 'ada@example.com')
  const after = await serviceWith({
    SESSION_SECRET: secrets.toReversed().join(','),
    ENCRYPTION_KEY: newKey(),
  })
  assert.equal(await mailedToken(after, 'ada@example.com'), token)
  await sealStored(db(), after.context.keyring, COLUMNS)
  assert.deepEqual(await statusOf(after), { current: 1, previous: 0, plain: 0, missing: 0 })
  const onlyKey = createKeyring(after.config.encryption, ['zY9wT2mQz7Lr5Vn8Yc3Bd6Hf1Jg4Ks0Q'])
  assert.equal((await readSecretsStatus(db(), onlyKey, COLUMNS)).current, 1)
})
