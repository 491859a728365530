import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { PRODUCTION } from '#src/testing/settings.ts'
import { ConfigError, loadConfig } from './config.ts'

test('defaults to development on localhost with the embedded database', () => {
  const config = loadConfig({})
  assert.equal(config.host, 'localhost')
  assert.equal(config.port, 3000)
  assert.equal(config.production, false)
  assert.equal(config.databaseUrl, undefined)
  assert.ok(config.dataFolder.endsWith('/data'))
  assert.ok(Object.isFrozen(config))
})

test('reports every error on its own line', () => {
  const wrong = {
    NODE_ENV: 'staging',
    PORT: 'http',
    LOG_LEVEL: 'loud',
    CORS_ORIGINS: 'https://a.example/path',
    PUBLIC_URL: 'deals.example.com',
    TRUST_PROXY: '2',
    TIME_ZONE: '+02:00',
    IDP_ISSUER: 'http://id.example.com',
    GATEWAY_JWKS_URL: 'http://id.example.com/certs',
    GATEWAY_HEADER: 'Cookie',
    IDP_ASSUME_VERIFIED: 'yes',
    ALLOWED_DOMAIN: 'exämple.com',
    ALLOWED_EMAILS: 'ada',
    RATE_LIMIT_STANDARD: '-1',
    RATE_LIMIT_AI: 'many',
    RATE_LIMIT_BULK: '1.5',
    RATE_LIMIT_IMPORT: '-20',
  }
  const together = {
    IDP_CLIENT_ID: 'x',
    IDP_CLIENT_SECRET: 'x',
    GATEWAY_ISSUER: 'x',
    GATEWAY_AUDIENCE: 'x',
  }
  assert.throws(
    () => loadConfig({ ...wrong, ...together }),
    (error: Error) => {
      assert.ok(error instanceof ConfigError)
      const lines = error.message.split('\n')
      assert.deepEqual(lines.map((line) => line.split(':')[0]).sort(), Object.keys(wrong).sort())
      for (const line of lines) assert.match(line, /must be .*, not "/)
      return true
    },
  )
})

test('development only listens on localhost', () => {
  assert.throws(() => loadConfig({ HOST: '0.0.0.0' }), /HOST: must be localhost/)
  assert.equal(loadConfig({ ...PRODUCTION, HOST: '10.0.0.1' }).host, '10.0.0.1')
  assert.equal(loadConfig(PRODUCTION).host, '0.0.0.0')
})

/** The error lines for these settings. */
function errorsOf(settings: Record<string, string>): string[] {
  try {
    loadConfig(settings)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test('production requires a way to sign in, and reports what is missing', () => {
  const without = (...names: string[]) =>
    errorsOf({ ...PRODUCTION, ...Object.fromEntries(names.map((name) => [name, ''])) })
  assert.deepEqual(without(), [])
  assert.match(
    without('SESSION_SECRET').join(),
    /^SESSION_SECRET: is required in production, for example from openssl/,
  )
  assert.match(
    without('IDP_ISSUER', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET').join(),
    /^IDP_ISSUER: production needs an identity provider .* or an access gateway/,
  )
  assert.deepEqual(without('IDP_CLIENT_SECRET'), [
    'IDP_CLIENT_SECRET: is missing: set IDP_ISSUER, IDP_CLIENT_ID, IDP_CLIENT_SECRET together',
  ])
  assert.match(
    without('ALLOWED_DOMAIN').join(),
    /^ALLOWED_DOMAIN: is missing: set ALLOWED_DOMAIN or ALLOWED_EMAILS/,
  )
  assert.match(
    errorsOf({ ...PRODUCTION, PUBLIC_URL: 'http://deals.example.com' }).join(),
    /PUBLIC_URL: must be an https/,
  )
  assert.deepEqual(errorsOf({ ...PRODUCTION, PUBLIC_URL: 'http://localhost:3000' }), [])
  assert.equal(errorsOf({ NODE_ENV: 'production' }).length, 3)
})

test('secrets must be strong and are never shown', () => {
  const cluttered = {
    SESSION_SECRET: `${'a'.repeat(40)},short`,
    DATABASE_URL: 'mysql://user:hunter2@db/x',
    REDIS_URL: 'http://:hunter2@x',
  }
  const errors = errorsOf(cluttered)
  assert.deepEqual(errors.map((line) => line.split(':')[0]).sort(), [
    'DATABASE_URL',
    'REDIS_URL',
    'SESSION_SECRET',
  ])
  assert.doesNotMatch(errors.join(), /hunter2|short|aaaa/)
  for (const weak of ['0123456789'.repeat(4), 'changeme-'.repeat(5), 'abc'.repeat(20), 'x'.repeat(99)])
    assert.match(
      errorsOf({ SESSION_SECRET: weak }).join(),
      /^SESSION_SECRET: must be at least 32 random/,
      weak,
    )
  const [first, second] = ['kX9wT2mQz7Lr5Vn8Yc3Bd6Hf1Jg4Ks0P', 'aZ4xS8cW1vE6bR9nT3mY7uQ2kI5oP0lJ']
  assert.deepEqual(loadConfig({ SESSION_SECRET: `${first}, ${second}` }).authentication.sessionSecrets, [
    first,
    second,
  ])
})

test('production rejects plain HTTP origins', () => {
  assert.match(
    errorsOf({ ...PRODUCTION, CORS_ORIGINS: 'http://app.example.com' }).join(),
    /CORS_ORIGINS: must be https/,
  )
  assert.deepEqual(errorsOf({ ...PRODUCTION, CORS_ORIGINS: 'https://app.example.com' }), [])
})

test('proxies are trusted by address', () => {
  const proxies = (text: string) => loadConfig({ TRUST_PROXY: text }).trustProxy
  assert.equal(proxies(''), false)
  assert.equal(proxies('false'), false)
  assert.deepEqual(proxies('true'), ['loopback', 'linklocal', 'uniquelocal'])
  assert.deepEqual(proxies('10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1'])
  for (const text of [
    '2',
    '1',
    'all',
    '0.0.0.0/0',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/8/8',
    '/8',
    '10.0.0.0/99',
    'proxy.example.com',
  ])
    assert.throws(() => proxies(text), /TRUST_PROXY/)
})

test('an embedding endpoint needs a URL and a model', () => {
  const endpoint = { EMBEDDINGS: 'openai-compatible', EMBEDDINGS_BASE_URL: 'http://localhost:11434/v1/' }
  const { embeddings } = loadConfig({
    ...endpoint,
    EMBEDDINGS_MODEL: 'nomic-embed-text',
    EMBEDDINGS_DIMENSIONS: '256',
  })
  assert.deepEqual(embeddings.endpoint, {
    baseUrl: 'http://localhost:11434/v1',
    apiKey: undefined,
    model: { name: 'nomic-embed-text', dimensions: 256 },
  })
  assert.equal(loadConfig({ ...endpoint, EMBEDDINGS: 'builtin' }).embeddings.endpoint, undefined)
  assert.deepEqual(
    errorsOf({ EMBEDDINGS: 'openai-compatible', EMBEDDINGS_DIMENSIONS: '4001' }).map(
      (error) => error.split(':')[0],
    ),
    ['EMBEDDINGS_DIMENSIONS', 'EMBEDDINGS_BASE_URL', 'EMBEDDINGS_MODEL'],
  )
  assert.match(
    errorsOf({ ...endpoint, EMBEDDINGS_BASE_URL: 'localhost:11434' }).join(),
    /EMBEDDINGS_BASE_URL: must be a URL/,
  )
  assert.match(errorsOf({ EMBEDDINGS: 'openai' }).join(), /builtin, builtin-words, openai-compatible, off/)
})

test('EMBEDDINGS=local, which is no longer supported, says what to set instead', () => {
  const settings = { EMBEDDINGS: 'local', EMBEDDINGS_MODEL_PATH: 'models/all-MiniLM-L6-v2' }
  assert.deepEqual(errorsOf(settings), [
    'EMBEDDINGS: local is no longer supported; serve the model with an OpenAI-compatible server, and set ' +
      'EMBEDDINGS=openai-compatible, EMBEDDINGS_BASE_URL, and EMBEDDINGS_MODEL instead of EMBEDDINGS_MODEL_PATH',
  ])
})

test('each embedding model has a weight beside words, and the built-in one a limit', () => {
  const of = (settings: Record<string, string>) => {
    const { model, vectorWeight, maxVectors } = loadConfig(settings).embeddings
    return [model?.name, vectorWeight, maxVectors]
  }
  assert.deepEqual(of({}), ['universal-sentence-encoder-lite', 0.5, 200_000])
  assert.deepEqual(of({ EMBEDDINGS: 'builtin-words' }), [undefined, 0.5, undefined])
  const endpoint = {
    EMBEDDINGS: 'openai-compatible',
    EMBEDDINGS_BASE_URL: 'http://localhost:11434/v1',
    EMBEDDINGS_MODEL: 'nomic-embed-text',
  }
  assert.deepEqual(of(endpoint), ['nomic-embed-text', 0.5, undefined])
  const settings = { SEARCH_VECTOR_WEIGHT: '0.25', EMBEDDINGS_BUILTIN_LIMIT: '5000' }
  assert.deepEqual(of(settings), ['universal-sentence-encoder-lite', 0.25, 5000])
  for (const SEARCH_VECTOR_WEIGHT of ['-0.1', '1.1', 'x'])
    assert.match(
      errorsOf({ SEARCH_VECTOR_WEIGHT }).join(),
      /SEARCH_VECTOR_WEIGHT: must be a number from 0 to 1, not/,
    )
})

test('a bucket needs a name, and both keys or neither', () => {
  const bucket = { OBJECTS: 's3', S3_BUCKET: 'deals' }
  const connection = {
    endpoint: undefined,
    region: 'us-east-1',
    credentials: undefined,
    forcePathStyle: false,
  }
  const s3 = { ...connection, bucket: 'deals' }
  assert.deepEqual(loadConfig(bucket).objects, { kind: 's3', s3, connection })
  assert.deepEqual(loadConfig({}).objects, { kind: 'folder', s3: undefined, connection })
  const errors = errorsOf({
    OBJECTS: 's3',
    S3_ENDPOINT: 'minio:9000',
    S3_ACCESS_KEY_ID: 'a',
    S3_FORCE_PATH_STYLE: 'yes',
  })
  assert.deepEqual(
    errors.map((error) => error.split(':')[0]),
    ['S3_FORCE_PATH_STYLE', 'S3_ENDPOINT', 'S3_SECRET_ACCESS_KEY', 'S3_BUCKET'],
  )
})

test('a language model needs a URL and a name', () => {
  const { llm } = loadConfig({
    LLM: 'openai-compatible',
    LLM_BASE_URL: 'http://localhost:11434/v1/',
    LLM_MODEL: 'qwen3',
  })
  assert.deepEqual(llm.endpoint, { baseUrl: 'http://localhost:11434/v1', apiKey: undefined, model: 'qwen3' })
  assert.equal(loadConfig({}).llm.kind, 'builtin')
  assert.equal(loadConfig({ LLM: 'off' }).llm.kind, 'off')
  assert.equal(loadConfig(PRODUCTION).llm.kind, 'off')
  assert.equal(loadConfig({ ...PRODUCTION, LLM: 'builtin' }).llm.kind, 'builtin')
  assert.deepEqual(
    errorsOf({ LLM: 'openai-compatible' }).map((error) => error.split(':')[0]),
    ['LLM_BASE_URL', 'LLM_MODEL'],
  )
})

test('a tracker needs a token and a project in its own format', () => {
  const { tracker } = loadConfig({
    TRACKER: 'github',
    TRACKER_TOKEN: 'ghp_x',
    TRACKER_PROJECT: 'example/deals',
  })
  assert.deepEqual(tracker, {
    kind: 'github',
    url: 'https://api.github.com',
    token: 'ghp_x',
    project: 'example/deals',
  })
  assert.equal(loadConfig({ TRACKER_TOKEN: 'ghp_x' }).tracker.kind, 'local')
  const names = (settings: Record<string, string>) => errorsOf(settings).map((error) => error.split(':')[0])
  assert.deepEqual(names({ TRACKER: 'gitlab' }), ['TRACKER_TOKEN', 'TRACKER_PROJECT'])
  assert.deepEqual(names({ TRACKER: 'jira' }), ['TRACKER_URL', 'TRACKER_TOKEN', 'TRACKER_PROJECT'])
  assert.match(errorsOf({ TRACKER: 'bugzilla' }).join(), /one of local, github, gitlab, linear, jira/)
  for (const [kind, project] of [
    ['github', 'deals'],
    ['github', 'https://github.com/example/deals'],
    ['gitlab', 'deals'],
    ['linear', 'ENG-12'],
    ['jira', 'PIPE-12'],
  ] as const)
    assert.match(
      errorsOf({
        TRACKER: kind,
        TRACKER_TOKEN: 'a@b.example:x',
        TRACKER_PROJECT: project,
        TRACKER_URL: 'https://x.example',
      }).join(),
      /^TRACKER_PROJECT: must be /,
      project,
    )
})

test('a tracker token is never shown', () => {
  const clumsy = {
    TRACKER: 'jira',
    TRACKER_URL: 'http://ada:hunter2@jira.example.com',
    TRACKER_TOKEN: 'hunter2',
    TRACKER_PROJECT: 'PIPE',
  }
  const errors = errorsOf(clumsy)
  assert.deepEqual(
    errors.map((error) => error.split(':')[0]),
    ['TRACKER_URL', 'TRACKER_TOKEN'],
  )
  assert.doesNotMatch(errors.join(), /hunter2/)
  assert.match(errorsOf({ TRACKER_URL: 'http://gitlab.example.com' }).join(), /TRACKER_URL: must be an https/)
})

test('warns about settings that have no effect', () => {
  const warnings = (settings: Record<string, string>) => loadConfig(settings).warnings
  assert.deepEqual(
    warnings({
      TRACKER_TOKEN: 'hunter2',
      TRACKER_PROJECT: 'example/deals',
      S3_BUCKET: 'deals',
      S3_REGION: 'eu-central-1',
      S3_FORCE_PATH_STYLE: 'false',
      LLM_API_KEY: 'hunter2',
      LLM: 'builtin',
      EMBEDDINGS_MODEL: 'nomic-embed-text',
      EMBEDDINGS_DIMENSIONS: '256',
      GATEWAY_HEADER: 'X-Jwt',
      IDP_ASSUME_VERIFIED: 'true',
    }).toSorted(),
    [
      'EMBEDDINGS_MODEL, EMBEDDINGS_DIMENSIONS: no effect unless EMBEDDINGS is openai-compatible',
      'GATEWAY_HEADER: no effect unless GATEWAY_JWKS_URL, GATEWAY_ISSUER, GATEWAY_AUDIENCE are set',
      'IDP_ASSUME_VERIFIED: no effect unless IDP_ISSUER, IDP_CLIENT_ID, IDP_CLIENT_SECRET are set',
      'LLM_API_KEY: no effect unless LLM is openai-compatible',
      'S3_REGION, S3_BUCKET: no effect unless OBJECTS is s3',
      'TRACKER_TOKEN, TRACKER_PROJECT: no effect unless TRACKER is github, gitlab, linear or jira',
    ],
  )
  const right: Record<string, string>[] = [
    { OBJECTS: 's3', S3_BUCKET: 'deals', S3_REGION: 'eu-central-1' },
    { TRACKER: 'github', TRACKER_TOKEN: 'x', TRACKER_PROJECT: 'example/deals' },
    { LLM: 'openai-compatible', LLM_BASE_URL: 'http://localhost:11434/v1', LLM_MODEL: 'qwen3' },
    PRODUCTION,
    { ...PRODUCTION, IDP_ASSUME_VERIFIED: 'true' },
    { IDP_ASSUME_VERIFIED: 'false' },
  ]
  for (const settings of right) assert.deepEqual(warnings(settings), [])
})

test('metrics listen on loopback, in development only if a port is set', () => {
  const metrics = (settings: Record<string, string>) => loadConfig(settings).metrics
  assert.equal(metrics({}), undefined)
  assert.deepEqual(metrics({ METRICS_PORT: '9000' }), { host: '127.0.0.1', port: 9000 })
  const { METRICS_PORT: _off, ...production } = PRODUCTION
  assert.deepEqual(metrics(production), { host: '127.0.0.1', port: 9464 })
  assert.deepEqual(metrics({ ...production, METRICS_HOST: '10.0.0.1' }), { host: '10.0.0.1', port: 9464 })
  assert.equal(metrics({ ...production, METRICS_PORT: '0' }), undefined)
  assert.throws(() => metrics({ METRICS_PORT: '3000' }), /METRICS_PORT: must be another port than PORT/)
})

test('.env.example lists every setting with its default', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const listed = Object.fromEntries(
    [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  const read: string[] = []
  loadConfig(new Proxy({}, { get: (_target, name) => void read.push(String(name)) }))
  const settings = new Set(read.filter((name) => !name.endsWith('_FILE')))
  assert.deepEqual(Object.keys(listed).sort(), [...settings].sort())
  const { shownSettings: _given, ...config } = loadConfig(listed)
  const { shownSettings: _none, ...defaults } = loadConfig({})
  assert.deepEqual(config, defaults)
})

const HEX_KEY = '6b1f9c3e7a04d25886e1b7c94f20a3d5170e6c8bf2459da13378ce5b0192e4af'
/** Every secret, with a valid value. */
const SECRETS = {
  DATABASE_URL: 'postgres://user:hidden-database@host:5432/deals',
  REDIS_URL: 'redis://user:hidden-redis@host:6379',
  SMTP_URL: 'smtp://user:hidden-smtp@mail.example.com',
  SESSION_SECRET: 'hidden-kX9wT2mQz7Lr5Vn8Yc3Bd6Hf1Jg4Ks0P',
  IDP_CLIENT_SECRET: 'hidden-idp',
  S3_ACCESS_KEY_ID: 'hidden-s3-id',
  S3_SECRET_ACCESS_KEY: 'hidden-s3',
  EMBEDDINGS_API_KEY: 'hidden-embeddings',
  LLM_API_KEY: 'hidden-llm',
  TRACKER_TOKEN: 'hidden-tracker',
  BACKUP_PASSPHRASE: 'hidden-backup',
  ENCRYPTION_KEY: 'hidden/kX9wT2mQz7Lr5Vn8Yc3Bd6Hf1Jg4Ks0PaZ4x=',
  ENCRYPTION_PREVIOUS_KEYS: `${'hidden/aX9wT2mQz7Lr5Vn8Yc3Bd6Hf1Jg4Ks0PaZ4x='},${HEX_KEY}`,
}
const WITH_SECRETS = {
  ...{ OBJECTS: 's3', S3_BUCKET: 'deals', MAIL_FROM: 'crm@example.com', ALLOWED_DOMAIN: 'example.com' },
  ...{ IDP_ISSUER: 'https://idp.example.com', IDP_CLIENT_ID: 'deals' },
  ...{ LLM: 'openai-compatible', LLM_BASE_URL: 'http://localhost:11434/v1', LLM_MODEL: 'qwen3' },
  ...{ EMBEDDINGS: 'openai-compatible', EMBEDDINGS_BASE_URL: 'http://localhost:11434/v1' },
  ...{ EMBEDDINGS_MODEL: 'nomic-embed-text', TRACKER: 'github', TRACKER_PROJECT: 'example/deals' },
}

test('every secret can be in a file, and none is shown or quoted', (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'deal-pipeline-every-secret-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const names = [...example.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name as string)
  const secretNames =
    /SECRET|KEY|TOKEN$|PASS|CREDENTIAL|PRIVATE|^(?!PUBLIC|API|IDP|GATEWAY|TRACKER|LLM|EMBED).*_URL$/
  assert.deepEqual(names.filter((name) => secretNames.test(name)).sort(), Object.keys(SECRETS).sort())
  const expected = loadConfig({ ...WITH_SECRETS, ...SECRETS })
  for (const [name, value] of Object.entries(SECRETS)) {
    const file = path.join(folder, name)
    writeFileSync(file, `${value}\n`)
    const { [name as keyof typeof SECRETS]: _value, ...others } = SECRETS
    const settings = { ...WITH_SECRETS, ...others, [`${name}_FILE`]: file }
    assert.deepEqual(loadConfig(settings), expected, name)
    assert.match(errorsOf({ ...settings, [name]: value }).join(), new RegExp(`^${name}: set either it or`))
  }
  assert.doesNotMatch(JSON.stringify(expected.shownSettings), /hidden|6b1f9c3e/)
  const broken = Object.fromEntries(Object.keys(SECRETS).map((name) => [name, 'hidden ,hidden']))
  assert.doesNotMatch(errorsOf({ ...WITH_SECRETS, ...broken }).join(), /hidden/)
})

test('an encryption key is 32 random bytes, and an error names the setting and not the key', () => {
  const [hex, base64] = [HEX_KEY, SECRETS.ENCRYPTION_KEY]
  const { key, previousKeys } = loadConfig({
    ENCRYPTION_KEY: hex.toUpperCase(),
    ENCRYPTION_PREVIOUS_KEYS: `${base64}, ${base64.replace('/', '_').replace('=', '')}`,
  }).encryption
  assert.equal(key?.export().toString('hex'), hex)
  assert.equal(previousKeys.length, 2)
  for (const previous of previousKeys)
    assert.equal(previous.export().toString('base64').length, base64.length)
  assert.deepEqual(loadConfig({}).encryption, { key: undefined, previousKeys: [] })
  for (const wrong of [
    'garbage',
    hex.slice(2),
    `${hex}00`,
    base64.slice(4),
    `${base64.slice(0, -1)}AAAA=`,
    '0'.repeat(64),
    'A'.repeat(43),
    `${hex},${base64}`,
  ]) {
    const errors = errorsOf({ ENCRYPTION_KEY: wrong })
    assert.equal(errors.length, 1, wrong)
    assert.match(errors[0] ?? '', /^ENCRYPTION_KEY: must be 32 random bytes as base64 or hexadecimal text/)
    assert.ok(!errors[0]?.includes(wrong))
  }
  assert.match(
    errorsOf({ ENCRYPTION_PREVIOUS_KEYS: `${hex},garbage` }).join(),
    /^ENCRYPTION_PREVIOUS_KEYS: must be keys of 32 random bytes .*; number 2 is not$/,
  )
})

test('secrets are read from files, and problems with a file are named without its content', (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'deal-pipeline-secrets-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = (name: string, content: string) => {
    writeFileSync(path.join(folder, name), content)
    return path.join(folder, name)
  }
  const passphrase = file('passphrase', '  correct horse\n')
  const database = file('database', 'postgres://user:hidden@host:5432/deals\n')
  const config = loadConfig({ BACKUP_PASSPHRASE_FILE: passphrase, DATABASE_URL_FILE: database })
  assert.equal(config.backups.passphrase, 'correct horse')
  assert.equal(config.databaseUrl, 'postgres://user:hidden@host:5432/deals')
  assert.doesNotMatch(JSON.stringify(config.shownSettings), /hidden|horse/)
  const errorOf = (settings: Record<string, string>) => {
    try {
      loadConfig(settings)
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  assert.equal(
    errorOf({ BACKUP_PASSPHRASE: 'x', BACKUP_PASSPHRASE_FILE: passphrase }),
    'BACKUP_PASSPHRASE: set either it or BACKUP_PASSPHRASE_FILE, not both',
  )
  const missing = path.join(folder, 'missing')
  assert.equal(
    errorOf({ BACKUP_PASSPHRASE_FILE: missing }),
    `BACKUP_PASSPHRASE_FILE: cannot read the file ${missing} (ENOENT)`,
  )
  const blank = file('blank', '\n')
  assert.equal(
    errorOf({ BACKUP_PASSPHRASE_FILE: blank }),
    `BACKUP_PASSPHRASE_FILE: the file ${blank} is empty`,
  )
})

test('backups need both a time of day and a target', () => {
  const { schedule } = loadConfig({ BACKUP_SCHEDULE: '03:30', BACKUP_TARGET: '/mnt/backups' }).backups
  assert.deepEqual(schedule, { minutes: 210, target: '/mnt/backups' })
  for (const [settings, message] of [
    [
      { BACKUP_SCHEDULE: '3 am', BACKUP_TARGET: '/b' },
      /^BACKUP_SCHEDULE: must be a time of day such as 03:00, not "3 am"$/,
    ],
    [{ BACKUP_SCHEDULE: '03:00' }, /^BACKUP_TARGET: is missing/],
    [{ BACKUP_TARGET: '/b' }, /^BACKUP_SCHEDULE: is missing/],
    [
      { BACKUP_SCHEDULE: '03:00', BACKUP_TARGET: 's3://deals/b', OBJECTS: 's3', S3_BUCKET: 'deals' },
      /^BACKUP_TARGET: must be another bucket/,
    ],
    [{ BACKUP_SCHEDULE: '03:00', BACKUP_TARGET: './data/objects/b' }, /^BACKUP_TARGET: must be another/],
    [{ BACKUP_SCHEDULE: '03:00', BACKUP_TARGET: 's3:bucket' }, /^BACKUP_TARGET: must be a folder, or s3:/],
  ] as const)
    assert.throws(() => loadConfig(settings), { message })
})

const SMTP = {
  SMTP_URL: 'smtp://crm:p%40ss%2F@mail.example.com',
  MAIL_FROM: 'Deal pipeline <crm@example.com>',
}

test('mail is off without SMTP_URL, and its address decides how the connection is encrypted', () => {
  assert.equal(loadConfig({}).mail, undefined)
  const { mail } = loadConfig(SMTP)
  assert.deepEqual(mail, {
    host: 'mail.example.com',
    port: 587,
    isTls: false,
    requiresTls: true,
    credentials: { user: 'crm', password: 'p@ss/' },
    from: { name: 'Deal pipeline', address: 'crm@example.com' },
  })
  const connection = (SMTP_URL: string) => {
    const { host, port, isTls, requiresTls } = loadConfig({ ...SMTP, SMTP_URL }).mail ?? assert.fail()
    return [host, port, isTls, requiresTls]
  }
  assert.deepEqual(connection('smtps://crm:secret@mail.example.com'), ['mail.example.com', 465, true, false])
  assert.deepEqual(connection('smtp://relay:25/'), ['relay', 25, false, false])
  assert.deepEqual(connection('smtp://crm:secret@localhost:1025'), ['localhost', 1025, false, false])
  assert.deepEqual(connection('smtp://[::1]:1025'), ['::1', 1025, false, false])
})

test('the sender of mail is an address, with or without a name', () => {
  const sender = (MAIL_FROM: string) => loadConfig({ ...SMTP, MAIL_FROM }).mail?.from
  assert.deepEqual(sender('crm@example.com'), { name: '', address: 'crm@example.com' })
  assert.deepEqual(sender('<crm@example.com>'), { name: '', address: 'crm@example.com' })
  assert.deepEqual(sender('"Ventures, Nordic" <crm@example.com>'), {
    name: 'Ventures, Nordic',
    address: 'crm@example.com',
  })
  for (const MAIL_FROM of ['crm', 'Deal pipeline', 'a@b.c, d@e.f', 'X <a@b.c> <d@e.f>', 'X\nY <a@b.c>'])
    assert.match(errorsOf({ ...SMTP, MAIL_FROM }).join(), /^MAIL_FROM: must be an email address, such as /)
  assert.match(errorsOf({ ...SMTP, MAIL_FROM: '' }).join(), /^MAIL_FROM: is required with SMTP_URL: /)
  assert.deepEqual(loadConfig({ MAIL_FROM: 'crm@example.com' }).warnings, [
    'MAIL_FROM: no effect unless SMTP_URL is set',
  ])
})

test('errors about SMTP_URL do not quote it', () => {
  for (const SMTP_URL of [
    'mail.example.com',
    'http://crm:hunter2@mail.example.com',
    'smtp://crm:hunter2@mail.example.com/path',
    'smtp://crm:hunter2@mail.example.com?tls=off',
    'smtp://crm:hunter2%@mail.example.com',
    'smtp://crm:hunter2#@mail.example.com',
    'smtp://crm@mail.example.com',
    'smtp://:hunter2@mail.example.com',
    'smtp://crm:hunter2@mail.example.com:port',
    'smtp://crm:hunter2@:587',
  ]) {
    const [error = '', ...others] = errorsOf({ ...SMTP, SMTP_URL })
    assert.match(
      error,
      /^SMTP_URL: must be a URL such as smtp:\/\/user:password@mail\.example\.com:587/,
      SMTP_URL,
    )
    assert.deepEqual(others, [])
    assert.doesNotMatch(error, /hunter2/)
  }
})

test('the virus scanner has a host, and a port that defaults to that of clamd', () => {
  const scanner = (CLAMAV_HOST: string) => loadConfig({ CLAMAV_HOST }).virusScan
  assert.equal(scanner(''), undefined)
  for (const [text, host, port] of [
    ['clamav', 'clamav', 3310],
    ['clamav.example.com:1234', 'clamav.example.com', 1234],
    ['127.0.0.1', '127.0.0.1', 3310],
    ['[::1]:65535', '::1', 65_535],
    ['[fd00::5]', 'fd00::5', 3310],
    ['fd00::5', 'fd00::5', 3310],
  ] as const)
    assert.deepEqual(scanner(text), { host, port })
  for (const CLAMAV_HOST of [
    'tcp://clamav:3310',
    'clamav:',
    'clamav:0',
    'clamav:65536',
    'clamav:port',
    'clamav 3310',
    '[clamav]:3310',
    '/run/clamd.sock',
    'user@clamav',
  ])
    assert.deepEqual(errorsOf({ CLAMAV_HOST }), [
      `CLAMAV_HOST: must be a host or host:port, such as clamav, 10.0.0.5:3310 or [fd00::5]:3310, not "${CLAMAV_HOST}"`,
    ])
})
