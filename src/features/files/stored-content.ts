import type { UploadFolder } from '#src/platform/http/upload-folder.ts'
import type { Objects } from '#src/platform/objects/objects.ts'

/** Where stored content is read from, and where it is copied to. */
export interface StoredContentParts {
  objects: Objects
  uploads: UploadFolder
}

/**
 * Copies stored content to a temporary file, and works with its path. The file is removed afterward.
 * @returns null if the object is missing
 * @throws Unavailable if the disk is full or cannot be written; any error of the object storage
 */
export async function withStoredFile<T>(
  { objects, uploads }: StoredContentParts,
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T | null> {
  const stored = await objects.open(key)
  if (!stored) return null
  const file = await uploads.createNamed().catch((error) => {
    stored.body.destroy()
    throw error
  })
  try {
    for await (const chunk of stored.body as AsyncIterable<Buffer>) await file.append(chunk)
    return await work(file.path)
  } finally {
    await file.close()
  }
}
