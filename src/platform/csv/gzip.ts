import { createGunzip } from 'node:zlib'
import { InvalidInput } from '#src/platform/errors.ts'
import type { ReplayableFile, TemporaryFile, TemporaryFiles } from './replayable-file.ts'

/** Text shrinks to a tenth; what shrinks to less than a hundredth is made to fill a disk. */
const MAX_RATIO = 100
const MIN_LIMIT_BYTES = 64 * 1024 * 1024
const MAX_BYTES = 2 * 1024 * 1024 * 1024

/**
 * Decompresses a gzip file into a temporary one, which the caller closes.
 * @throws InvalidInput if it is damaged, or much larger than a table
 */
export async function decompress(
  file: ReplayableFile,
  temporary: TemporaryFiles,
  signal?: AbortSignal,
): Promise<TemporaryFile> {
  const limit = Math.min(MAX_BYTES, Math.max(MIN_LIMIT_BYTES, file.size * MAX_RATIO))
  const target = await temporary.create()
  try {
    for await (const bytes of decompressed(file)) {
      signal?.throwIfAborted()
      if (target.size + bytes.length > limit)
        throw new InvalidInput(
          `The gzip file is larger than ${Math.floor(limit / 1024 / 1024)} MB when it is decompressed. Decompress it, and split it.`,
        )
      await target.append(bytes)
    }
    return target
  } catch (error) {
    await target.close()
    throw error
  }
}

async function* decompressed(file: ReplayableFile): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const failure = feed(file, gunzip).catch((error) => gunzip.destroy(error))
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    if (!isZlibError(error)) throw error
    throw new InvalidInput(
      'The gzip file is damaged or incomplete. Compress it again, or upload it uncompressed.',
      {
        cause: error,
      },
    )
  } finally {
    gunzip.destroy()
    await failure
  }
}

async function feed(file: ReplayableFile, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  for await (const chunk of file.read()) {
    if (gunzip.destroyed) return
    if (gunzip.write(chunk)) continue
    await new Promise<void>((resolve) => {
      gunzip.once('drain', resolve).once('close', resolve)
    })
  }
  gunzip.end()
}

const isZlibError = (error: unknown): boolean => /^Z_/.test((error as NodeJS.ErrnoException).code ?? '')
