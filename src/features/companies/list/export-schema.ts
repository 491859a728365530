import { Type } from 'typebox'
import { companyFilters } from '#src/features/companies/schema.ts'
import { endpoint, Strict } from '#src/platform/schema/shapes.ts'

export const exportCompanies = endpoint('GET', '/api/companies/export', {
  operationId: 'exportCompanies',
  'x-action': 'export',
  tags: ['Companies'],
  summary: 'Export companies as a CSV file',
  description:
    'Oldest first. Takes the filters of the list. The file can be imported again unchanged. Custom fields are ' +
    'columns `custom.<key>`, with the labels of options.',
  produces: ['text/csv'],
  querystring: Strict(Type.Object(companyFilters)),
  response: {
    200: Type.String({
      description: 'Cells that a spreadsheet would run as formulas begin with an apostrophe.',
      examples: [
        'id,name,website\r\ncmp_01jw3f8x5zfq2v5n6k7m8p9r0s,Nordlys Robotics,https://nordlys.example\r\n',
      ],
    }),
  },
})
