import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { ended, launch } from '#dev/processes.ts'
import type { Work } from '#src/client/client.ts'
import { embeddingHandler } from './embeddings.ts'

test('a separate worker without PostgreSQL exits with an error that names PostgreSQL', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-worker-'))
  try {
    const { child, log } = launch('worker/main.ts', folder, { DATA_DIR: path.join(folder, 'none') })
    assert.equal(await ended(child), 1)
    assert.match(log(), /^DATABASE_URL: a separate worker needs PostgreSQL/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a worker with other settings than the service does not process its jobs', async () => {
  const handler = embeddingHandler(undefined, undefined)
  const work: Work = {
    action_type: 'generate_embeddings',
    status: 'running',
    is_over_budget: false,
    company_ids: ['cmp_1'],
    embedding: {
      model: { key: 'small, text 1', name: 'small', dimensions: null },
      companies: [{ company_id: 'cmp_1', text: 'Acme', text_hash: '', is_current: false }],
    },
  }
  const progress = { stopped: new AbortController().signal, onRetry: () => {} }
  await assert.rejects(Array.fromAsync(handler(work, progress)), /different EMBEDDINGS settings/)
})
