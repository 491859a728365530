import { Type } from 'typebox'
import { endpoint, Strict } from '#src/platform/schema/shapes.ts'
import { noteExample, noteFilters } from './schema.ts'

export const exportNotes = endpoint('GET', '/api/notes/export', {
  operationId: 'exportNotes',
  'x-action': 'export',
  tags: ['Notes'],
  summary: 'Export notes as a CSV file',
  description:
    'Oldest first, with replies and your private notes. Takes the filters of the list. Several values are separated by semicolons.',
  produces: ['text/csv'],
  querystring: Strict(
    Type.Object({
      ...noteFilters,
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
      description: 'Text that a spreadsheet would run as a formula begins with an apostrophe.',
      examples: [`id,kind,title,about\r\n${noteExample.id},call,Pricing,Nordlys Robotics\r\n`],
    }),
  },
})
