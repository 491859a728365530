import { workerData } from 'node:worker_threads'
import { answerTexts } from '#src/platform/models/answer-texts.ts'

/** Imported here, so that a missing package is reported like a missing model. */
async function load() {
  const { loadEncoder } = await import('./encoder.ts').catch((error: Error) => {
    throw new Error(
      `The packages of the embedding model are missing or damaged (${error.message.split('\n')[0]}). Run "npm ci" again.`,
      { cause: error },
    )
  })
  return loadEncoder((workerData as { folder: string | undefined }).folder)
}

answerTexts(load())
