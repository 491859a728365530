import { Type } from 'typebox'
import { endpoint } from '#src/platform/schema/shapes.ts'

export const getBackup = endpoint('GET', '/api/backup', {
  operationId: 'getBackup',
  'x-action': 'backup',
  tags: ['Administration'],
  summary: 'Download a backup',
  description:
    'All tables in one snapshot, and all company files: a tar archive, compressed with zstd. `npm run cli -- restore` restores it into an embedded database or PostgreSQL. With the embedded database, other requests wait while the snapshot is taken. It contains personal data, password-like hashes of keys and sessions, and private notes: keep it safe.',
  produces: ['application/zstd'],
  response: { 200: Type.String({ format: 'binary', examples: ['(a file)'] }) },
})
