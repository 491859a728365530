import { Type } from 'typebox'
import { bomParameter } from '#src/features/companies/export/export-schema.ts'
import { endpoint, Strict } from '#src/platform/schema/shapes.ts'
import { personExample, personFilters } from './schema.ts'

export const exportPeople = endpoint('GET', '/api/people/export', {
  operationId: 'exportPeople',
  'x-action': 'export',
  tags: ['People'],
  summary: 'Export people as a CSV file',
  description:
    'Oldest first. Takes the filters of the list. Several values are separated by semicolons, and companies are JSON. Custom ' +
    'fields are columns `custom.<key>`, with the labels of options.',
  produces: ['text/csv'],
  querystring: Strict(
    Type.Object({
      ...personFilters,
      bom: bomParameter,
    }),
  ),
  response: {
    200: Type.String({
      description: 'Text that a spreadsheet would run as a formula begins with an apostrophe.',
      examples: [`id,name,emails\r\n${personExample.id},Ingrid Solberg,ingrid@nordlys-robotics.example\r\n`],
    }),
  },
})
