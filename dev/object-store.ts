import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'

export interface ObjectStore {
  /** The settings for the service to use this bucket. */
  settings: Record<string, string>
  close(): Promise<void>
}

const SETTINGS = {
  OBJECTS: 's3',
  S3_REGION: 'eu-central-1',
  S3_BUCKET: 'deals',
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
  S3_FORCE_PATH_STYLE: 'true',
}

/** Starts an S3-compatible store with one empty bucket. */
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
    // A host name rather than an IP address, so that path-style and host-style requests differ.
    settings: { ...SETTINGS, S3_ENDPOINT: `http://localhost:${port}` },
    close: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
