import { parentPort, workerData } from 'node:worker_threads'
import { type FileContent, writeWhole } from './write-whole.ts'

/** What is sent when files cannot be written: an error itself would lose its code. */
export interface WriteError {
  message: string
  code: string | undefined
}

const { unfinished } = workerData as { unfinished: string }

parentPort?.on('message', (files: [file: string, content: FileContent][]) => {
  parentPort?.postMessage(errorOf(files))
})

function errorOf(files: [string, FileContent][]): WriteError | null {
  try {
    for (const [file, content] of files) writeWhole(file, content, unfinished)
    return null
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { message, code }
  }
}
