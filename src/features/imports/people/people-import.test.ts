import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const send = (file: string, query: Record<string, string> = {}) =>
  api.call('POST', '/api/people/import', undefined, {
    payload: file,
    headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' },
    query,
  })

test('first', async () => {
  const file = 'Notes:\n"When exporting your connection data, you may notice that some of the email addresses are missing."\n\nFirst Name,Last Name,URL,Email Address,Company,Position,Connected On\nIngrid,Solberg,https://www.linkedin.com/in/ingrid-solberg,ingrid@nordlys.example,Nordlys,CEO,04 Mar 2025\nBen,Okafor,https://www.linkedin.com/in/ben-okafor,,Acme,Engineer,04 Mar 2025\n'
  const dry = await send(file, { dry_run: 'true', create_companies: 'true' })
  console.log(JSON.stringify(dry.body, null, 1))
  const real = await send(file, { create_companies: 'true' })
  console.log(JSON.stringify(real.body.data.companies))
  const again = await send(file, { create_companies: 'true' })
  console.log(JSON.stringify(again.body))
  console.log(JSON.stringify((await api.call('GET', '/api/people')).body.data, null, 1))
})
