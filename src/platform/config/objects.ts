import { isWebAddress } from '#src/platform/network/addresses.ts'
import type { Settings } from './settings.ts'

/** Where files are stored. */
export interface ObjectsConfig {
  readonly kind: (typeof KINDS)[number]
  /** Only of the kind `s3`. */
  readonly s3: S3Config | undefined
}

/** A bucket of Amazon's S3, or of any service with its API. */
export interface S3Config {
  /** `undefined`: Amazon's. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** `undefined`: those that the machine has, such as a role of its own. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** Whether the bucket is named in the path, not in the host. */
  readonly forcePathStyle: boolean
}

const KINDS = ['folder', 's3'] as const
const S3_STANDARDS = {
  S3_ENDPOINT: '',
  S3_REGION: 'us-east-1',
  S3_BUCKET: '',
  S3_ACCESS_KEY_ID: '',
  S3_SECRET_ACCESS_KEY: '',
  S3_FORCE_PATH_STYLE: 'false',
} as const

export function readObjects(settings: Settings): ObjectsConfig {
  const kind = settings.oneOf('OBJECTS', 'folder', KINDS)
  const endpoint = settings.text('S3_ENDPOINT')
  const bucket = settings.text('S3_BUCKET')
  const accessKeyId = settings.text('S3_ACCESS_KEY_ID')
  const secretAccessKey = settings.text('S3_SECRET_ACCESS_KEY')
  const region = settings.text('S3_REGION') ?? S3_STANDARDS.S3_REGION
  const forcePathStyle =
    settings.oneOf('S3_FORCE_PATH_STYLE', S3_STANDARDS.S3_FORCE_PATH_STYLE, ['true', 'false']) === 'true'
  if (endpoint && !isWebAddress(endpoint))
    settings.demand('S3_ENDPOINT', 'must be an address such as https://s3.example.com')
  if (Boolean(accessKeyId) !== Boolean(secretAccessKey))
    settings.demand(
      accessKeyId ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID',
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together',
    )
  if (kind !== 's3') {
    settings.warnOfIdle(S3_STANDARDS, 'OBJECTS is s3')
    return Object.freeze({ kind, s3: undefined })
  }
  if (!bucket) settings.demand('S3_BUCKET', 'OBJECTS=s3 needs it: the name of the bucket')
  const credentials =
    accessKeyId && secretAccessKey ? Object.freeze({ accessKeyId, secretAccessKey }) : undefined
  const s3 = Object.freeze({ endpoint, region, bucket: bucket ?? '', credentials, forcePathStyle })
  return Object.freeze({ kind, s3 })
}
