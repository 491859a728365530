import { Type } from 'typebox'
import { profileExample, type StoredProfile } from '#src/features/companies/profile-schema.ts'
import { endpoint } from '#src/platform/shapes.ts'

const path = Type.Object({ id: Type.String({ description: 'The id of a company: cmp_…' }) })
const tags = ['Files']
const description =
  'With ETag and Last-Modified; conditional requests (304) and single ranges (206) are answered. Kept in memory for a ' +
  'minute; while the object storage is out of reach a copy up to a day old is sent, with Warning: 110.'

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
  response: { 200: Type.Record(Type.String(), Type.Unknown(), { examples: [example] }) },
})

export const getSource = endpoint('GET', '/assets/companies/:id/source.csv', {
  operationId: 'getSource',
  tags,
  summary: 'The row that a company was imported from, with its header',
  description,
  params: path,
  produces: ['text/csv'],
  response: {
    200: Type.String({ examples: ['name,website\r\nNordlys Robotics,https://nordlys.example\r\n'] }),
  },
})
