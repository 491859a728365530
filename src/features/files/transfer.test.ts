import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { ada } from '#src/testing/settings.ts'
import { about, as, filesOf, ok } from './files.fixture.ts'

const [lea, pat, mel, dora] = ['lea@example.com', 'pat@example.com', 'mel@example.com', 'dora@example.com']
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', ENFORCE_ROLES: 'true' })
  await userWithRole(api, ada, 'admin')
  await userWithRole(api, pat, 'partner')
  for (const email of [lea, mel, dora]) await userWithRole(api, email, 'member')
})
after(() => api.close())

const { company, get, upload, version } = filesOf(() => api)

test('an admin gives the private files of a disabled user to another user, who can undo it as a partner', async () => {
  const records = [about(await company())]
  const own = await upload({ about: records, visibility: 'private', fileName: 'Own.txt' }, lea)
  ok(await version(own.id, 'Second', lea))
  const trashed = await upload({ about: records, visibility: 'private', fileName: 'Old.txt' }, lea)
  ok(await api.call('DELETE', `/api/files/${trashed.id}`, undefined, as(lea)))
  const team = await upload({ about: records, fileName: 'Team.txt' }, lea)
  const others = await upload({ about: records, visibility: 'private', fileName: 'Own.txt' }, mel)
  const transfer = (from: string, to: string, email = ada) =>
    api.call('POST', '/api/files/transfer', { from, to }, as(email))
  const disable = (email: string) => api.call('PATCH', `/api/users/${email}`, { disabled: true }, as(ada))

  ok(await disable(dora))
  for (const [from, to, email, status, details] of [
    [lea, pat, ada, 409, /^lea@example\.com is not disabled\. .* show the files to the team/],
    [lea, pat, pat, 403, /permission/],
    [lea, lea, ada, 400, /^to must be another user than from/],
    [lea, 'no@example.com', ada, 400, /^to must be the email address of a user/],
    [dora, 'nobody', ada, 400, /^to must be/],
    [dora, dora.toUpperCase(), ada, 400, /^to must be another user/],
  ] as const) {
    const answer = await transfer(from, to, email)
    assert.deepEqual([answer.status, details.test(answer.body.details)], [status, true], answer.body.details)
  }
  ok(await disable(lea))
  assert.match((await transfer(lea, dora)).body.details, /^dora@example\.com is disabled/)

  const done = await transfer('Lea@example.com', pat)
  const action = done.headers['x-action-id']
  assert.deepEqual(done.body.data, { action_id: action, files: 1 })
  const owners = (email: string) =>
    Promise.all(
      [own, team, others].map(async ({ id }) => {
        const answer = await get(`/api/files/${id}`, email)
        return answer.statusCode === 200 ? answer.json().data.uploaded_by : answer.statusCode
      }),
    )
  assert.deepEqual(await owners(pat), [pat, lea, 404])
  assert.deepEqual(await owners(ada), [404, lea, 404])
  assert.equal((await get(`/api/files/${own.id}/content`, pat)).body, 'Second')
  assert.deepEqual((await transfer(lea, pat)).body.data, { action_id: null, files: 0 })

  ok(await api.call('POST', `/api/actions/${action}/undo`, {}, as(pat)))
  assert.deepEqual(await owners(pat), [404, lea, 404])
  await api.context.audit.flush()
  const audited = await api.call('GET', '/api/audit?event=files_transferred', undefined, as(ada))
  assert.deepEqual(
    audited.body.data.map(({ details }: { details: object }) => details),
    [0, 1].map((files) => ({ from: lea, to: pat, files })),
  )
})
