import { UPLOADS_PREFIX } from '#src/features/files/index.ts'

export const PRODUCT = 'deal-pipeline'
/** Increased by versions whose backups earlier ones cannot read. */
export const FORMAT = 1
export const HEADER_PART = 'backup.json'
export const MANIFEST_PART = 'manifest.json'

/** The first part of a backup. */
export interface Header {
  product: typeof PRODUCT
  format: number
  /** The version of the service. */
  version: string
  /** The names of the migrations that the database had. */
  migrations: string[]
  /** When the snapshot was taken: ISO 8601, UTC. */
  created_at: string
  database: 'embedded' | 'postgresql'
  /** The settings of the process that made it, without secrets. */
  settings: Record<string, string>
  schema: Schema
}

/** What the migrations do not create, or create only later: indexes of custom fields, tables of vectors. */
export interface Schema {
  tables: TableDescription[]
  /** Definitions of all indexes that belong to no constraint. */
  indexes: { table: string; definition: string }[]
  sequences: { name: string; value: string; is_called: boolean }[]
}

export interface TableDescription {
  /** Without a schema, or `pgboss.…`. */
  name: string
  columns: { name: string; type: string; required: boolean }[]
  primary_key: string | null
}

/** The last part of a backup. */
export interface Manifest {
  /** Rows by table. */
  rows: Record<string, number>
  /** All stored objects: versions of uploaded files, and profiles and source rows of companies. */
  files: number
  /** How long the snapshot took, in seconds: writes to an embedded database wait as long. */
  seconds: number
  parts: { name: string; bytes: number; sha256: string }[]
}

/** How many rows a backup contains in all. */
export const rowsIn = ({ rows }: Pick<Manifest, 'rows'>): number =>
  Object.values(rows).reduce((sum, n) => sum + n, 0)

/** How many versions of uploaded files a backup contains, and how many profiles and source files of companies. */
export function filesIn({ files, parts }: Pick<Manifest, 'files' | 'parts'>): {
  uploads: number
  others: number
} {
  const uploads = parts.filter(({ name }) => name.startsWith(filePart(UPLOADS_PREFIX))).length
  return { uploads, others: files - uploads }
}

export const tablePart = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}.json`
/** The part of a stored object. */
export const filePart = (key: string): string => `files/${key}`

/** The table or file of a part; undefined for others. */
export function contentOf(part: string): { table: string } | { file: string } | undefined {
  const [, kind, rest = ''] = /^(tables|files)\/(.+)$/.exec(part) ?? []
  if (kind === 'files') return { file: rest }
  if (kind === 'tables') return { table: rest.slice(0, rest.lastIndexOf('/')) }
  return undefined
}
