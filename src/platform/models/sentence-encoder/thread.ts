import { workerData } from 'node:worker_threads'
import { answerTexts } from '#src/platform/models/answer-texts.ts'
import { loadEncoder } from './encoder.ts'

answerTexts(loadEncoder((workerData as { folder: string | undefined }).folder))
