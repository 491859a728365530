import { workerData } from 'node:worker_threads'
import { serveTexts } from '../serve-texts.ts'
import { loadOnnxEncoder } from './encoder.ts'

serveTexts(loadOnnxEncoder((workerData as { folder: string }).folder))
