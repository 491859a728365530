/** `npm run dev:idp`: starts an identity provider on this machine. */
import { parseArgs } from 'node:util'
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from './identity-provider.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '4000' } } })
const { issuer } = await startIdentityProvider({ port: Number(values.port) }).catch((error) => {
  console.error(`--port: ${error.message}`)
  process.exit(1)
})
console.log(`The development identity provider is running at ${issuer}. Start the service with

IDP_ISSUER=${issuer} IDP_CLIENT_ID=${CLIENT_ID} IDP_CLIENT_SECRET=${CLIENT_SECRET} ALLOWED_DOMAIN=example.com npm start

then sign in at http://localhost:3000/home`)
