import { Type } from 'typebox'
import { Data, ErrorAnswer, endpoint, Named } from '#src/platform/schema/shapes.ts'

const RequestedScans = Named('RequestedScans', {
  versions: Type.Integer({ description: 'How many versions of files will be scanned.' }),
})

export const scanFiles = endpoint('POST', '/api/files/scan', {
  operationId: 'scanFiles',
  'x-action': 'scan_files',
  tags: ['Files'],
  summary: 'Scan all files for viruses again',
  description:
    'All versions of all files, with those in the trash, in the background and after new uploads: files from before ' +
    'CLAMAV_HOST was set, and after an update of the signatures also the others. Each keeps its `scan_state` until its scan.',
  response: {
    200: Data(RequestedScans, { versions: 312 }),
    409: ErrorAnswer('Files are not scanned on this server.'),
  },
})
