import { workerData } from 'node:worker_threads'
import { answerTexts } from '#src/platform/embeddings/answer-texts.ts'
import { loadOnnxEncoder } from './encoder.ts'

answerTexts(loadOnnxEncoder((workerData as { folder: string }).folder))
