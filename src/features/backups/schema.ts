import { type Static, Type } from 'typebox'
import {
  endpoint,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

export const BackupRun = Named('BackupRun', {
  due_at: Timestamp,
  state: OneOf(['running', 'completed', 'failed']),
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
  name: Nullable(Type.String({ description: 'The name of the file.' })),
  bytes: Nullable(Type.Integer({ description: 'The size of the file.' })),
  rows: Nullable(Type.Integer({ description: 'How many rows of all tables it contains.' })),
  files: Nullable(
    Type.Integer({
      description:
        'How many stored objects it contains: versions of uploaded files, and profiles and source files of companies.',
    }),
  ),
  snapshot_seconds: Nullable(
    Type.Number({
      description: 'How long the database was read. Requests to an embedded one waited as long.',
    }),
  ),
  error: Nullable(Type.String({ description: 'Why it failed. It is tried again after 15 minutes.' })),
})
export type BackupRun = Static<typeof BackupRun>

const example: BackupRun = {
  due_at: '2026-03-02T03:00:00.000Z',
  state: 'completed',
  started_at: '2026-03-02T03:00:12.000Z',
  finished_at: '2026-03-02T03:00:19.000Z',
  name: 'deal-pipeline-2026-03-02T0300Z.backup',
  bytes: 1_240_583,
  rows: 3849,
  files: 720,
  snapshot_seconds: 0.5,
  error: null,
}

export const listBackups = endpoint('GET', '/api/backups', {
  operationId: 'listBackups',
  'x-action': 'backup',
  tags: ['Administration'],
  summary: 'List scheduled backups',
  description: 'The backups that BACKUP_SCHEDULE has made, newest first.',
  querystring: Strict(Type.Object(pageQuery())),
  response: { 200: Page(BackupRun, example) },
})

export const getBackup = endpoint('GET', '/api/backup', {
  operationId: 'getBackup',
  'x-action': 'backup',
  tags: ['Administration'],
  summary: 'Download a backup',
  description:
    'All tables in one snapshot, and all files, uploaded ones and those of companies: a tar archive, compressed with zstd. `npm run cli -- restore` restores it into an embedded database or PostgreSQL. With the embedded database, other requests wait while the snapshot is taken. It contains personal data, password-like hashes of keys and sessions, and private notes: keep it safe.',
  produces: ['application/zstd'],
  response: { 200: Type.String({ format: 'binary', examples: ['(a file)'] }) },
})
