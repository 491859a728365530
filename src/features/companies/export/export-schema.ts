import { Type } from 'typebox'
import { endpoint, Strict } from '#src/platform/schema/shapes.ts'
import { companyFilters } from '../filters-schema.ts'

/** The query parameter of every export as CSV. */
export const bomParameter = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Begin the file with a byte order mark, so that Excel reads it as UTF-8.',
  }),
)

export const exportCompanies = endpoint('GET', '/api/companies/export', {
  operationId: 'exportCompanies',
  'x-action': 'export',
  tags: ['Companies'],
  summary: 'Export companies as a CSV file',
  description:
    'Oldest first. Takes the filters of the list. The file can be imported again unchanged. Custom fields are ' +
    'columns `custom.<key>`, with the labels of options.',
  produces: ['text/csv'],
  querystring: Strict(
    Type.Object({
      ...companyFilters,
      bom: bomParameter,
    }),
  ),
  response: {
    200: Type.String({
      description:
        'Text that a spreadsheet would run as a formula begins with an apostrophe. Numbers do not.',
      examples: [
        'id,name,website\r\ncmp_01jw3f8x5zfq2v5n6k7m8p9r0s,Nordlys Robotics,https://nordlys.example\r\n',
      ],
    }),
  },
})
