import { Type } from 'typebox'
import { profileExample, type StoredProfile } from '#src/features/companies/profile-schema.ts'
import { ErrorAnswer, endpoint } from '#src/platform/schema/shapes.ts'

const path = Type.Object({ id: Type.String({ description: 'The id of a company: cmp_…' }) })
const tags = ['Files']
const description =
  'With ETag and Last-Modified; conditional requests (304) and single ranges (206) are answered, and HEAD. Files are kept ' +
  'in memory; one that another program replaces in object storage is seen within 30 seconds. While the object storage ' +
  'is out of reach, a copy up to a day old is sent, with Warning: 110.'

const header = (description: string, example: string) => Type.String({ description, examples: [example] })
const ETAG = '"1f4-8q3m-dw2k5b1x9c"'
const MODIFIED = 'Mon, 02 Mar 2026 09:30:04 GMT'

const documentedHeaders = Type.Partial(
  Type.Object({
    Range: header('A single range of bytes; several at once are answered with the whole file.', 'bytes=0-99'),
    'If-Range': header('An ETag: of another version the whole file is sent.', ETAG),
    'If-None-Match': header('ETags that are known, or *: the same version is a 304.', ETAG),
    'If-Modified-Since': header('Without If-None-Match: a file that is no newer is a 304.', MODIFIED),
  }),
)

const validators = {
  ETag: header('Strong: another one stands for other bytes.', ETAG),
  'Last-Modified': header('When it was written.', MODIFIED),
  'Cache-Control': header('For how long a copy is good.', 'private, max-age=10, must-revalidate'),
}
const sent = {
  ...validators,
  'Accept-Ranges': header('Always bytes.', 'bytes'),
  Warning: header('Only while the object storage is out of reach.', '110 - "Response is Stale"'),
}
const sentOfPart = {
  ...sent,
  'Content-Range': header('The bytes that are sent, and how many there are.', 'bytes 0-99/1234'),
}
const PART = 'The range of the file that was asked for.'

/** What is answered besides the file, or a part of it. */
const others = {
  304: Type.Null({ description: 'The copy that the caller has is still good.', headers: validators }),
  416: ErrorAnswer('Range must be within the bytes of the file.', {
    'Content-Range': header('How many bytes there are.', 'bytes */1234'),
  }),
}

const savedAs = {
  'Content-Disposition': header(
    'The name to save it under.',
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
  tags,
  summary: 'A company’s profile',
  description,
  params: path,
  documentedHeaders,
  response: {
    200: Type.Record(Type.String(), Type.Unknown(), { examples: [example], headers: sent }),
    206: Type.Unknown({ description: PART, headers: sentOfPart }),
    ...others,
  },
})

export const getSource = endpoint('GET', '/assets/companies/:id/source.csv', {
  operationId: 'getSource',
  tags,
  summary: 'The row that a company was imported from, with its header',
  description,
  params: path,
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
