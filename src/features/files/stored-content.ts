import { Unavailable } from '#src/platform/errors.ts'
import type { UploadFolder } from '#src/platform/http/upload-folder.ts'
import { isRefusal, type Objects } from '#src/platform/objects/objects.ts'

/** Where stored content is read from, and where it is copied to. */
export interface StoredContentParts {
  objects: Objects
  uploads: UploadFolder
}

/**
 * Copies stored content to a temporary file, and works with its path. The file is removed afterward.
 * @returns null if the object is missing
 * @throws Unavailable if the disk is full or cannot be written, or the object storage is down; StoreRefusal
 */
export async function withStoredFile<T>(
  { objects, uploads }: StoredContentParts,
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  const stored = await objects.open(key).catch(explain)
  if (!stored) return null
  const file = await uploads.createNamed().catch((error) => {
    stored.body.destroy()
    throw error
  })
  try {
    try {
      for await (const chunk of stored.body as AsyncIterable<Buffer>) await file.append(chunk)
    } catch (error) {
      explain(error)
    }
    return await work(file.path)
  } finally {
    await file.close()
  }
}

function explain(cause: unknown): never {
  if (cause instanceof Unavailable || isRefusal(cause)) throw cause
  throw new Unavailable('The object storage cannot be read.', { cause })
}
