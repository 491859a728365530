import path from 'node:path'
import type { Config } from '#src/platform/config/config.ts'
import type { FreeSpace } from '#src/platform/process/free-space.ts'
import { folderObjects } from './folder.ts'
import type { Objects } from './objects.ts'

/** Where files are without object storage. */
export const objectsFolder = (dataFolder: string): string => path.join(dataFolder, 'objects')

/**
 * Opens the storage of files.
 * @param probeKey of an object that need not exist: the answer shows whether objects can be read
 */
export async function openObjects(
  { dataFolder, objects: { s3 } }: Pick<Config, 'dataFolder' | 'objects'>,
  disk: FreeSpace | undefined,
  probeKey: string,
): Promise<Objects> {
  if (!s3) return folderObjects(objectsFolder(dataFolder), disk)
  // Loading the S3 client takes a tenth of the startup time.
  const { s3Objects } = await import('./s3.ts')
  return s3Objects(s3, probeKey)
}
