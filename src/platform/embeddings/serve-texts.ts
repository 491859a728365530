import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './thread-embedder.ts'

/** Returns the vector of a text, with the length 1. */
export type Encode = (text: string) => Promise<number[]>

/** On Linux, this changes the calling thread alone. So requests come before background work. */
const NICENESS = 5

/** In the thread of an embedding model, answers each text with its vector once the model is loaded. */
export function serveTexts(loading: Promise<Encode>): void {
  if (process.platform === 'linux') os.setPriority(NICENESS)
  const send = (message: FromThread) => parentPort?.postMessage(message)
  loading.catch(({ message }: Error) => send({ fault: message }))
  parentPort?.on('message', async (text: ToThread) => {
    const encode = await loading.catch(() => undefined)
    if (!encode) return
    try {
      send({ vector: await encode(text) })
    } catch (error) {
      send({ reason: `The embedding model failed on the text (${(error as Error).message}).` })
    }
  })
}
