import { isWebUrl } from '#src/platform/network/addresses.ts'
import type { Settings } from './settings.ts'

/** Where files are stored. */
export interface ObjectsConfig {
  readonly kind: (typeof KINDS)[number]
  /** Set if `kind` is `s3`. */
  readonly s3: S3Config | undefined
  /** How to reach buckets, also if files are in a folder. */
  readonly connection: Omit<S3Config, 'bucket'>
}

/** A bucket on Amazon S3 or a compatible service. */
export interface S3Config {
  /** `undefined` for Amazon S3. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  /** If `undefined`, the SDK finds credentials itself, such as an instance role. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** Whether the bucket name goes in the path rather than the host name. */
  readonly forcePathStyle: boolean
}

const KINDS = ['folder', 's3'] as const
const S3_DEFAULTS = {
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
  const region = settings.text('S3_REGION') ?? S3_DEFAULTS.S3_REGION
  const forcePathStyle =
    settings.oneOf('S3_FORCE_PATH_STYLE', S3_DEFAULTS.S3_FORCE_PATH_STYLE, ['true', 'false']) === 'true'
  if (endpoint && !isWebUrl(endpoint))
    settings.addError('S3_ENDPOINT', 'must be a URL such as https://s3.example.com')
  if (Boolean(accessKeyId) !== Boolean(secretAccessKey))
    settings.addError(
      accessKeyId ? 'S3_SECRET_ACCESS_KEY' : 'S3_ACCESS_KEY_ID',
      'is missing: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together',
    )
  const credentials =
    accessKeyId && secretAccessKey ? Object.freeze({ accessKeyId, secretAccessKey }) : undefined
  const connection = Object.freeze({ endpoint, region, credentials, forcePathStyle })
  if (kind !== 's3') {
    if (!settings.text('BACKUP_TARGET')?.startsWith('s3:'))
      settings.warnIfUnused(S3_DEFAULTS, 'OBJECTS is s3')
    return Object.freeze({ kind, s3: undefined, connection })
  }
  if (!bucket) settings.addError('S3_BUCKET', 'is required with OBJECTS=s3: the name of the bucket')
  const s3 = Object.freeze({ ...connection, bucket: bucket ?? '' })
  return Object.freeze({ kind, s3, connection })
}
