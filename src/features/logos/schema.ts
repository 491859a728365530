import { Type } from 'typebox'
import { MovedAnswer } from '#src/features/trash/schema.ts'
import { endpoint, Nullable, Strict } from '#src/platform/schema/shapes.ts'

const VERSION = '9f2b6c01d4e8'

export const logoUrlExample = `/api/companies/cmp_01jw3f8x5zfq2v5n6k7m8p9r0s/logo?v=${VERSION}`

/** The address of a company's logo. */
export const LogoUrl = Nullable(
  Type.String({
    description: "The path of the logo, the icon of the company's website; null if there is none.",
  }),
)

const header = (description: string, example: string) => Type.String({ description, examples: [example] })

const headers = {
  ETag: header('Strong: it changes whenever the logo changes.', `"${VERSION}"`),
  'Cache-Control': header('A week for the address in `logo_url`.', 'private, max-age=604800'),
}

export const getLogo = endpoint('GET', '/api/companies/:id/logo', {
  operationId: 'getLogo',
  'x-action': 'read',
  // A page of companies shows one for each of them, which would use up the standard limit.
  'x-rate-class': 'logo',
  tags: ['Companies'],
  summary: "Read a company's logo",
  description:
    "The icon of the company's website, as PNG of up to 64 × 64 pixels. A company's `logo_url` is its address, or null if " +
    'there is none. With LOGOS=websites, icons are fetched in the background.',
  params: Type.Object({ id: Type.String({ description: 'The id of a company: cmp_…' }) }),
  querystring: Strict(
    Type.Object({
      v: Type.Optional(
        Type.String({ maxLength: 100, description: 'The version, as in `logo_url`, for caching.' }),
      ),
    }),
  ),
  documentedHeaders: Type.Partial(
    Type.Object({
      'If-None-Match': header('ETags of cached versions. 304 if one of them is current.', `"${VERSION}"`),
    }),
  ),
  produces: ['image/png'],
  response: {
    200: Type.String({ description: 'The logo.', contentMediaType: 'image/png', headers }),
    301: MovedAnswer,
    304: Type.Null({ description: "The client's copy is current.", headers }),
  },
})
