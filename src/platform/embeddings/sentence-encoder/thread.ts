import { workerData } from 'node:worker_threads'
import { answerTexts } from '#src/platform/embeddings/answer-texts.ts'
import { loadEncoder } from './encoder.ts'

answerTexts(loadEncoder((workerData as { folder: string | undefined }).folder))
