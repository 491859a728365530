import { Type } from 'typebox'
import { historyEndpoint } from '#src/features/activity/schema.ts'
import { ABOUT_TYPES } from '#src/features/links/schema.ts'
import { deleted, gone, idPath } from '#src/features/trash/schema.ts'
import {
  Data,
  ErrorAnswer,
  endpoint,
  IfMatch,
  Named,
  Nullable,
  Page,
  pageQuery,
  Strict,
} from '#src/platform/schema/shapes.ts'
import {
  FilePatch,
  FileQuery,
  FileRecord,
  FileVersion,
  fileExample,
  ListedFile,
  MAX_FILE_MB,
  MAX_UPLOADS_PER_USER,
} from './schema.ts'

const path = idPath('The id of a file: file_…')
const tags = ['Files']
const ofOthers = 'Files of others need the permission to delete.'

const tooLarge = ErrorAnswer(`The file is larger than ${MAX_FILE_MB} MB.`)
const quota = ErrorAnswer('All files together would take more than FILES_MAX_GB allows.')
const unchanged = 'The file has this content already, so nothing has changed.'

export const listFiles = endpoint('GET', '/api/files', {
  operationId: 'listFiles',
  'x-action': 'read',
  tags,
  summary: 'List files',
  description:
    'Last uploaded first. The fields of the content are those of the version that is shown. The total is exact.',
  querystring: FileQuery,
  response: { 200: Page(ListedFile, fileExample) },
})

export const getFile = endpoint('GET', '/api/files/:id', {
  operationId: 'getFile',
  'x-action': 'read',
  tags,
  summary: 'Read a file',
  description:
    'What is known about it, without its content. A private file is a 404 for all but its uploader.',
  params: path,
  response: { 200: Data(FileRecord, fileExample) },
})

export const uploadFile = endpoint('POST', '/api/files', {
  operationId: 'uploadFile',
  'x-action': 'write',
  tags,
  summary: 'Upload a file',
  description:
    `A form (multipart/form-data) with the field \`about\`, JSON as in notes, with 1 to 50 records (${ABOUT_TYPES.join(', ')}); ` +
    'if you like `visibility` (`team` by default, or `private`) and `name`; and the file, in the field `file`. Fields before the ' +
    'file are checked before its content is sent. A file with ' +
    'the same name, in any case, about one of the same records and with the same visibility gets a new version instead. ' +
    `At most ${MAX_FILE_MB} MB. Each user may run ${MAX_UPLOADS_PER_USER} uploads at a time; further ones get a 429. ` +
    'The content determines the type.',
  consumes: ['multipart/form-data'],
  'x-form': {
    about: {
      type: 'string',
      isRequired: true,
      description: 'JSON: the records that the file is about.',
      examples: ['[{"type": "company", "id": "cmp_01jw3f8x5zfq2v5n6k7m8p9r0s"}]'],
    },
    visibility: { type: 'string', enum: ['team', 'private'], examples: ['team'] },
    name: { type: 'string', examples: [fileExample.name] },
  },
  'x-idempotency': 'resumable',
  response: {
    200: { ...Data(FileRecord, fileExample), description: unchanged },
    201: Data(FileRecord, fileExample),
    413: tooLarge,
    507: quota,
  },
})

export const uploadFileVersion = endpoint('POST', '/api/files/:id/versions', {
  operationId: 'uploadFileVersion',
  'x-action': 'write',
  tags,
  summary: 'Upload a new version of a file',
  description:
    'A form (multipart/form-data) with the file in the field `file`, whatever its name. Earlier versions stay. Undoing the ' +
    'action shows the earlier version again.',
  consumes: ['multipart/form-data'],
  'x-idempotency': 'resumable',
  params: path,
  response: {
    200: { ...Data(FileRecord, fileExample), description: unchanged },
    201: Data(FileRecord, fileExample),
    413: tooLarge,
    507: quota,
  },
})

export const listFileVersions = endpoint('GET', '/api/files/:id/versions', {
  operationId: 'listFileVersions',
  'x-action': 'read',
  tags,
  summary: 'List the versions of a file',
  description: 'Newest first.',
  params: path,
  querystring: Strict(Type.Object(pageQuery())),
  response: {
    200: Page(FileVersion, {
      ...{ version: 2, type: fileExample.type, size: fileExample.size, sha256: fileExample.sha256 },
      ...{ uploaded_by: 'ada@example.com', uploaded_at: '2026-03-09T14:05:00.000Z' },
      ...{ scan_state: 'clean', scan_detail: null, text_state: 'done', text_detail: null },
      ...{ pages: 14, preview: 'pdf' },
    }),
  },
})

export const getFileHistory = historyEndpoint('/api/files/:id/history', 'getFileHistory', 'Files', 'file')

export const updateFile = endpoint('PATCH', '/api/files/:id', {
  operationId: 'updateFile',
  'x-action': 'write_own',
  tags,
  summary: 'Change a file',
  description: `Its name, what it is about, and who can see it. Fields that are not sent keep their values. ${ofOthers}`,
  headers: IfMatch,
  params: path,
  body: FilePatch,
  response: { 200: Data(FileRecord, fileExample) },
})

export const deleteFile = endpoint('DELETE', '/api/files/:id', {
  operationId: 'deleteFile',
  'x-action': 'write_own',
  tags,
  summary: 'Delete a file',
  description: `${deleted('file')} With all its versions. ${ofOthers} Infected files need it too.`,
  params: path,
  response: gone,
})

const FileUsage = Named('FileUsage', {
  bytes: Type.Integer({ description: 'What all versions of all files take, with those in the trash.' }),
  files: Type.Integer({ description: 'The number of files, with those in the trash.' }),
  limit_bytes: Nullable(
    Type.Integer({ description: 'What they may take (FILES_MAX_GB); null: there is no limit.' }),
  ),
})

export const getFileUsage = endpoint('GET', '/api/files/usage', {
  operationId: 'getFileUsage',
  'x-action': 'read',
  tags,
  summary: 'Read how much space files take',
  description: 'All files of the workspace, also private ones of other people.',
  response: { 200: Data(FileUsage, { bytes: 734_003_200, files: 312, limit_bytes: 10_737_418_240 }) },
})
