/** The upper bound for serving files: a bare `node:http` handler that sends the same number of bytes. */
import { createServer } from 'node:http'
import { PROFILE } from './files.ts'

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': PROFILE.length })
  response.end(PROFILE)
}).listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
