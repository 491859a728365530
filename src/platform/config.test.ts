import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ConfigError, loadConfig } from './config.ts'

test('without settings the service is embedded, in development, on this machine only', () => {
  const config = loadConfig({})
  assert.equal(config.host, 'localhost')
  assert.equal(config.port, 3000)
  assert.equal(config.production, false)
  assert.equal(config.databaseUrl, undefined)
  assert.ok(config.dataFolder.endsWith('/data'))
  assert.ok(Object.isFrozen(config))
})

test('every fault is told, one line each', () => {
  const wrong = {
    NODE_ENV: 'staging',
    PORT: 'http',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://localhost/x',
    CORS_ORIGINS: 'https://a.example/path',
    PUBLIC_URL: 'deals.example.com',
  }
  assert.throws(
    () => loadConfig(wrong),
    (error: Error) => {
      assert.ok(error instanceof ConfigError)
      const lines = error.message.split('\n')
      assert.deepEqual(lines.map((line) => line.split(':')[0]).sort(), Object.keys(wrong).sort())
      for (const line of lines) assert.match(line, /must be .*, not "/)
      return true
    },
  )
})

test('development does not listen beyond this machine', () => {
  assert.throws(() => loadConfig({ HOST: '0.0.0.0' }), /HOST: must be localhost/)
  assert.equal(loadConfig({ HOST: '0.0.0.0', NODE_ENV: 'production' }).host, '0.0.0.0')
})

test('.env.example lists exactly the settings that are read, with their defaults', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const listed = Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  const read: string[] = []
  loadConfig(new Proxy({}, { get: (_target, name) => void read.push(String(name)) }))
  assert.deepEqual(Object.keys(listed).sort(), [...new Set(read)].sort())
  assert.deepEqual(loadConfig(listed), loadConfig({}))
})
