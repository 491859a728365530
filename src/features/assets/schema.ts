import { Type } from 'typebox'
import { profileExample, type StoredProfile } from '#src/features/companies/detail/profile-schema.ts'
import { CompanyPath } from '#src/features/companies/schema.ts'
import { MovedAnswer } from '#src/features/trash/schema.ts'
import { ErrorAnswer, endpoint } from '#src/platform/schema/shapes.ts'

const tags = ['Files']
const description =
  'Has ETag and Last-Modified, and supports conditional requests (304), single ranges (206) and HEAD. Files are cached ' +
  'in memory. If another program replaces a file in object storage, the new one is visible within 30 seconds. While ' +
  'object storage is unreachable, a copy up to a day old is sent with Warning: 110.'

const header = (description: string, example: string) => Type.String({ description, examples: [example] })
const ETAG = '"1f4-8q3m-dw2k5b1x9c"'
const MODIFIED = 'Mon, 02 Mar 2026 09:30:04 GMT'

const documentedHeaders = Type.Partial(
  Type.Object({
    Range: header('A single range of bytes. Several ranges give the whole file.', 'bytes=0-99'),
    'If-Range': header('An ETag. If the file has another one, the whole file is sent.', ETAG),
    'If-None-Match': header('ETags of cached versions, or *. 304 if the file has one of them.', ETAG),
    'If-Modified-Since': header('304 if the file is not newer. Ignored with If-None-Match.', MODIFIED),
  }),
)

const validators = {
  ETag: header('Strong: it changes whenever the content changes.', ETAG),
  'Last-Modified': header('Time of the last write.', MODIFIED),
  'Cache-Control': header('How long clients may cache the file.', 'private, max-age=10, must-revalidate'),
}
const sent = {
  ...validators,
  'Accept-Ranges': header('Always bytes.', 'bytes'),
  Warning: header('Only while object storage is unreachable.', '110 - "Response is Stale"'),
}
const sentOfPart = {
  ...sent,
  'Content-Range': header('The range and the size of the file.', 'bytes 0-99/1234'),
}
const PART = 'The requested range.'

/** Responses without content of the file. */
const others = {
  301: MovedAnswer,
  304: Type.Null({ description: "The client's copy is current.", headers: validators }),
  416: ErrorAnswer('Range must be within the bytes of the file.', {
    'Content-Range': header('The size of the file in bytes.', 'bytes */1234'),
  }),
}

const savedAs = {
  'Content-Disposition': header(
    'The file name for saving.',
    'attachment; filename="cmp_01jw3f8x5zfq2v5n6k7m8p9r0s.csv"',
  ),
}

const example: StoredProfile = {
  company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  ...profileExample,
  filled: { founded_year: 2017 },
  enriched_at: '2026-03-02T09:30:04.000Z',
  bulk_action_id: 'ba_01jw3f8x62k8m0p4r6t9w1y3z5',
}

export const getProfile = endpoint('GET', '/assets/companies/:id/profile.json', {
  operationId: 'getProfile',
  'x-action': 'read',
  tags,
  summary: "Read a company's profile",
  description,
  params: CompanyPath,
  documentedHeaders,
  response: {
    200: Type.Record(Type.String(), Type.Unknown(), { examples: [example], headers: sent }),
    206: Type.Unknown({ description: PART, headers: sentOfPart }),
    ...others,
  },
})

export const getSource = endpoint('GET', '/assets/companies/:id/source.csv', {
  operationId: 'getSource',
  'x-action': 'read',
  tags,
  summary: 'Read the CSV row that a company was imported from',
  description,
  params: CompanyPath,
  documentedHeaders,
  produces: ['text/csv'],
  response: {
    200: Type.String({
      examples: ['name,website\r\nNordlys Robotics,https://nordlys.example\r\n'],
      headers: { ...sent, ...savedAs },
    }),
    206: Type.String({ description: PART, headers: { ...sentOfPart, ...savedAs } }),
    ...others,
  },
})
