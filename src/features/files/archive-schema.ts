import { Type } from 'typebox'
import { idPath, MovedAnswer } from '#src/features/trash/schema.ts'
import { endpoint } from '#src/platform/schema/shapes.ts'

/** The endpoint of all files of a record. */
const archiveOf = <const Id extends string, const Url extends string>(
  operationId: Id,
  url: Url,
  tag: string,
  noun: string,
  which: string,
) =>
  endpoint('GET', url, {
    operationId,
    'x-action': 'export_unlimited',
    tags: [tag],
    summary: `Download all files of a ${noun}`,
    description:
      `A ZIP with the present version of each file about ${which} that you can see, with the names made unique. Files that ` +
      'are infected, not scanned yet, or missing in the object storage are named in NOT-INCLUDED.txt. The download is audited. 404 if there are no files.',
    produces: ['application/zip'],
    params: idPath(`The id of a ${noun}.`),
    response: {
      200: Type.Unknown({
        description: 'The ZIP.',
        headers: {
          'Content-Disposition': Type.String({
            description: 'The name for saving.',
            examples: [
              'attachment; filename="Nordlys Robotics.zip"; filename*=UTF-8\'\'Nordlys%20Robotics.zip',
            ],
          }),
        },
      }),
      301: MovedAnswer,
    },
  })

export const downloadCompanyFiles = archiveOf(
  'downloadCompanyFiles',
  '/api/companies/:id/files/archive',
  'Companies',
  'company',
  'the company and its deals',
)

export const downloadDealFiles = archiveOf(
  'downloadDealFiles',
  '/api/dealflow/:id/files/archive',
  'Dealflow',
  'deal',
  'the deal',
)
