import { workerData } from 'node:worker_threads'
import { serveTexts } from '../serve-texts.ts'
import { loadEncoder } from './encoder.ts'

serveTexts(loadEncoder((workerData as { folder: string | undefined }).folder))
