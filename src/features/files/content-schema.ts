import { Type } from 'typebox'
import { idPath } from '#src/features/trash/schema.ts'
import { Data, ErrorAnswer, endpoint, OneOf, Strict } from '#src/platform/schema/shapes.ts'
import { FileText, fileExample } from './schema.ts'

const path = idPath('The id of a file: file_…')
const tags = ['Files']

const header = (description: string, example: string) => Type.String({ description, examples: [example] })
const ETAG = `"${fileExample.sha256}"`
const validators = {
  ETag: header('The SHA-256 of the content.', ETAG),
  'Last-Modified': header('When the version was uploaded.', 'Mon, 09 Mar 2026 14:05:00 GMT'),
}
const sent = {
  ...validators,
  'Accept-Ranges': header('Always bytes.', 'bytes'),
  'Content-Disposition': header(
    'The name for saving.',
    'attachment; filename="Deck.pdf"; filename*=UTF-8\'\'Deck.pdf',
  ),
  'Content-Security-Policy': header('Nothing in the content may run.', "sandbox; default-src 'none'"),
}

export const getFileContent = endpoint('GET', '/api/files/:id/content', {
  operationId: 'getFileContent',
  'x-action': 'read',
  tags,
  summary: 'Download a file',
  description:
    'Has ETag and Last-Modified, and supports conditional requests (304), single ranges (206) and HEAD. It is sent so that no ' +
    'browser runs anything in it: HTML, SVG and other active types as application/octet-stream, and `inline` only for PDF ' +
    'files and PNG, JPEG, GIF, WebP, and AVIF pictures.',
  produces: ['application/octet-stream'],
  params: path,
  documentedHeaders: Type.Partial(
    Type.Object({
      Range: header('A single range of bytes. Several ranges give the whole file.', 'bytes=0-99'),
      'If-Range': header('An ETag. If the file has another one, the whole file is sent.', ETAG),
      'If-None-Match': header('ETags of cached versions, or *. 304 if the file has one of them.', ETAG),
    }),
  ),
  querystring: Strict(
    Type.Object({
      version: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'By default, the version that is shown.',
        }),
      ),
      disposition: Type.Optional({
        ...OneOf(['attachment', 'inline'], { default: 'attachment' }),
        'x-normalize': 'word',
      }),
    }),
  ),
  response: {
    200: Type.Unknown({ description: 'The content.', headers: sent }),
    206: Type.Unknown({
      description: 'The requested range.',
      headers: {
        ...sent,
        'Content-Range': header('The range and the size of the file.', 'bytes 0-99/1234'),
      },
    }),
    304: Type.Null({ description: "The client's copy is current.", headers: validators }),
    409: ErrorAnswer('The file is not scanned for viruses yet, or infected.'),
    416: ErrorAnswer('Range must be within the bytes of the file.', {
      'Content-Range': header('The size of the file in bytes.', 'bytes */1234'),
    }),
  },
})

export const getFileText = endpoint('GET', '/api/files/:id/text', {
  operationId: 'getFileText',
  'x-action': 'read',
  tags,
  summary: 'Read the text of a file',
  description:
    'The text of the version that is shown, page by page. It is read in the background after the upload; `text_state` says how ' +
    'far that is. Long files have the text of their first pages only, and `text_detail` of the file says so.',
  params: path,
  querystring: Strict(
    Type.Object({
      page: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'By default, all pages.' }),
      ),
    }),
  ),
  response: {
    200: Data(FileText, {
      text_state: 'done',
      pages: [{ page: 12, text: 'Revenue has quadrupled since the seed round.' }],
    }),
    409: ErrorAnswer('The file is not scanned for viruses yet, or infected.'),
  },
})

export const getFileAttachment = endpoint('GET', '/api/files/:id/attachments/:index/content', {
  operationId: 'getFileAttachment',
  'x-action': 'read',
  tags,
  summary: 'Download an attachment of an email',
  description: 'Always sent as application/octet-stream for saving, so that no browser runs anything in it.',
  produces: ['application/octet-stream'],
  params: Strict(
    Type.Object({
      ...path.properties,
      index: Type.Integer({
        minimum: 0,
        maximum: 9999,
        description: 'Its place in `details.attachments` of the file, from 0.',
      }),
    }),
  ),
  response: {
    200: Type.Unknown({
      description: 'The content.',
      headers: {
        'Content-Disposition': sent['Content-Disposition'],
        'Content-Security-Policy': sent['Content-Security-Policy'],
      },
    }),
    409: ErrorAnswer('The email is not scanned or read yet, infected, or damaged.'),
  },
})
