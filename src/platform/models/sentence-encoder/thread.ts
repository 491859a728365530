import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { loadEncoder } from './encoder.ts'
import type { FromThread, ToThread } from './thread-embedder.ts'

/** On Linux, this changes the calling thread alone. So requests come before background work. */
const NICENESS = 5

if (process.platform === 'linux') os.setPriority(NICENESS)
const send = (message: FromThread) => parentPort?.postMessage(message)
const { folder } = workerData as { folder: string | undefined }
const loading = loadEncoder(folder)
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
