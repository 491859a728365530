import { useSyncExternalStore } from 'react'
import type { CompletedAction } from '#src/client/client.ts'
import { MAX_FILE_BYTES } from '#src/client/limits.ts'
import { strings } from '#strings/files.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { service, serviceReportingTo } from '#web/api/service.ts'
import { createStore } from '#web/api/store.ts'
import { formatFileSize } from '#web/ui/file-size.ts'
import { announceUploads } from './announce-uploads.ts'
import { sendFile, type UploadTarget } from './send-file.ts'

/** A file on its way to the service. Those that have arrived leave the list. */
export interface Upload {
  id: number
  file: File
  target: UploadTarget
  state: 'waiting' | 'sending' | 'failed'
  /** Bytes. */
  sent: number
  error: string | null
  /** Whether sending it again may help. */
  canRetry: boolean
  /** The files that share its notice; null: it has one of its own. */
  batch: Batch | null
}

/** Files that were added together. */
interface Batch {
  actions: CompletedAction[]
  /** The names of those that have failed. */
  failed: string[]
}

const store = createStore<{ uploads: readonly Upload[] }>({ uploads: [] })
const cancels = new Map<number, AbortController>()
let nextId = 1
let isRunning = false

/** The uploads of this tab, in their order. They go on while the user moves between screens. */
export const useUploads = (): readonly Upload[] =>
  useSyncExternalStore(store.subscribe, () => store.get().uploads)

/** Sends files, one after the other. What is too large is not sent at all. */
export function startUploads(files: readonly File[], target: UploadTarget): void {
  const batch: Batch | null = files.length > 1 ? { actions: [], failed: [] } : null
  const added = files.map((file): Upload => {
    const isTooLarge = file.size > MAX_FILE_BYTES
    const size = formatFileSize(file.size)
    if (isTooLarge) batch?.failed.push(file.name)
    return {
      ...{ id: nextId++, file, target, sent: 0, canRetry: !isTooLarge, batch },
      state: isTooLarge ? 'failed' : 'waiting',
      error: isTooLarge ? strings.tooLarge(size, formatFileSize(MAX_FILE_BYTES)) : null,
    }
  })
  store.set({ uploads: [...store.get().uploads, ...added] })
  run()
}

/** Stops an upload, or removes one that has failed from the list. */
export function cancelUpload(id: number): void {
  const batch = store.get().uploads.find((upload) => upload.id === id && upload.state !== 'failed')?.batch
  cancels.get(id)?.abort()
  remove(id)
  if (batch) announceIfDone(batch)
}

export function retryUpload(id: number): void {
  change(id, { state: 'waiting', sent: 0, error: null, batch: null })
  run()
}

const remove = (id: number): void =>
  store.set({ uploads: store.get().uploads.filter((upload) => upload.id !== id) })

const change = (id: number, changes: Partial<Upload>): void =>
  store.set({
    uploads: store.get().uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)),
  })

async function run(): Promise<void> {
  if (isRunning) return
  isRunning = true
  try {
    for (let next = waiting(); next; next = waiting()) await send(next)
  } finally {
    isRunning = false
  }
}

const waiting = (): Upload | undefined => store.get().uploads.find(({ state }) => state === 'waiting')

/** Shows the notice of files that were added together once none of them is on its way. */
function announceIfDone(batch: Batch): void {
  const isGoing = store.get().uploads.some((one) => one.batch === batch && one.state !== 'failed')
  if (!isGoing) announceUploads(batch.actions.splice(0), batch.failed)
}

async function send({ id, file, target, batch }: Upload): Promise<void> {
  const cancel = new AbortController()
  cancels.set(id, cancel)
  change(id, { state: 'sending' })
  try {
    await sendFile(file, target, {
      api: batch ? serviceReportingTo((done) => batch.actions.push(done)) : service,
      signal: cancel.signal,
      // The form is a little larger than the file.
      onProgress: ({ sent }) => change(id, { sent: Math.min(sent, file.size) }),
    })
    remove(id)
  } catch (error) {
    if (!cancel.signal.aborted) {
      batch?.failed.push(file.name)
      change(id, { state: 'failed', error: errorMessage(error) })
    }
  } finally {
    cancels.delete(id)
    if (batch) announceIfDone(batch)
  }
}
