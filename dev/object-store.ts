import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'

export interface ObjectStore {
  /** The settings by which the service finds its bucket. */
  settings: Record<string, string>
  close(): Promise<void>
}

/** A store with the API of Amazon's S3, with one empty bucket. */
export async function startObjectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'deals' }],
  })
  const { port } = await server.run()
  return {
    settings: {
      OBJECTS: 's3',
      // A name, not an address: only with one does it matter where the bucket is named.
      S3_ENDPOINT: `http://localhost:${port}`,
      S3_REGION: 'eu-central-1',
      S3_BUCKET: 'deals',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      S3_FORCE_PATH_STYLE: 'true',
    },
    close: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
