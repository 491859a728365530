import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertError, bodyOf, newUser, signedIn, unique } from './client.ts'
import { externalTracker } from './services.ts'

const FEEDBACK = {
  type: 'bug',
  title: 'The board forgets its filter',
  description: 'Choose a stage, open a deal, go back.',
  page: '/dealflow',
}

describe('4. Endpoints: Feedback', () => {
  test('POST /api/feedback with body {type, title, description, page, user_email}: {success (boolean), issue_id (string), url (string)}', async () => {
    const client = newUser()
    const body = { ...FEEDBACK, user_email: client.email }
    const { success, issue_id, url } = await bodyOf(client.post('/api/feedback', body), 201)
    assert.equal(success, true)
    assert.ok(typeof issue_id === 'string' && issue_id.length > 0)
    assert.ok(URL.canParse(url), url)
  })

  test('POST /api/feedback creates an issue in an external issue tracker', async () => {
    const client = await signedIn()
    const title = `The board forgets ${unique()}`
    const body = { ...FEEDBACK, title, user_email: client.email }
    const { success, issue_id, url } = await bodyOf(client.post('/api/feedback', body), 201)
    const issue = externalTracker().issues.find((one) => one.title === title)
    assert.deepEqual([success, issue_id, url], [true, issue?.id, issue?.url])
    for (const text of [FEEDBACK.description, FEEDBACK.page, FEEDBACK.type, client.email])
      assert.ok(issue?.body.includes(text), text)
  })
})

describe('4. Endpoints: Feedback, what the contract leaves open', () => {
  test('only the title is required', async () => {
    await bodyOf(newUser().post('/api/feedback', { title: FEEDBACK.title }), 201)
    await assertError(newUser().post('/api/feedback', { ...FEEDBACK, title: undefined }), 400, /title/)
  })

  test('page is any text up to 2,048 characters', async () => {
    const client = newUser()
    for (const page of ['/dealflow', 'Companies page', 'companies?x=1#top', 'app://home', 'p'.repeat(2048)])
      await bodyOf(client.post('/api/feedback', { ...FEEDBACK, page }), 201)
    await assertError(client.post('/api/feedback', { ...FEEDBACK, page: 'p'.repeat(2049) }), 400, /page/)
  })

  test("in production user_email must be the user's own", async () => {
    const body = { ...FEEDBACK, user_email: 'ada@example.com' }
    await assertError((await signedIn()).post('/api/feedback', body), 403, /user_email/)
  })

  test('a failing tracker gives a 503 that names it', async () => {
    const client = await signedIn()
    const tracker = externalTracker()
    tracker.failWith = () => ({ status: 502 })
    try {
      await assertError(client.post('/api/feedback', FEEDBACK), 503, /GitHub/)
    } finally {
      tracker.failWith = () => undefined
    }
  })
})
