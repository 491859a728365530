import { workerData } from 'node:worker_threads'
import { serveTexts } from '#src/platform/embeddings/serve-texts.ts'
import { loadEncoder } from './encoder.ts'

serveTexts(loadEncoder((workerData as { folder: string | undefined }).folder))
