import { Type } from 'typebox'
import { endpoint, Strict } from '#src/platform/schema/shapes.ts'
import { DealQuery, dealExample } from './schema.ts'

const { limit: _limit, offset: _offset, ...selection } = DealQuery.properties

export const exportDeals = endpoint('GET', '/api/dealflow/export', {
  operationId: 'exportDeals',
  'x-action': 'export',
  tags: ['Dealflow'],
  summary: 'Export deals as a CSV file',
  description:
    'Takes the filters and the sort of the list. The file has the name and the website of each company, and can be imported again ' +
    'unchanged. Custom fields are columns `custom.<key>`, with the labels of options.',
  produces: ['text/csv'],
  querystring: Strict(
    Type.Object({
      ...selection,
      bom: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Begin the file with a byte order mark, so that Excel reads it as UTF-8.',
        }),
      ),
    }),
  ),
  response: {
    200: Type.String({
      description:
        'Text that a spreadsheet would run as a formula begins with an apostrophe. Numbers do not.',
      examples: [
        `id,company_id,company_name,stage\r\n${dealExample.id},${dealExample.company_id},Nordlys Robotics,meeting\r\n`,
      ],
    }),
  },
})
