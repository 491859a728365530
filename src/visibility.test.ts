import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { COUNTERS } from './counters.ts'
import { filesOf } from './features/files/files.fixture.ts'
import { notify } from './features/notifications/consume.ts'
import { FOUND_TYPES } from './features/quick-search/schema.ts'
import { foldCounters } from './platform/database/counters.ts'
import { type TestApp, testApp } from './testing/app.ts'
import { type Headers, keyOf, sessionCookieOf, userWithRole } from './testing/credentials.ts'
import { isQuick, slow } from './testing/slow.ts'

let api: TestApp
let address: string
/** What each caller sends, and whether they are one of those who may see a private record. */
let callers: { name: string; headers: Headers; isReader: boolean }[]
before(async () => {
  api = await testApp({ WORKER: 'off' })
  address = await api.app.listen({ host: '127.0.0.1', port: 0 })
  for (const [email, role] of Object.entries(USERS)) await userWithRole(api, email, role)
  const key = await keyOf(api, await sessionCookieOf(api, AUTHOR), {
    name: 'Key',
    scopes: ['read', 'write', 'export', 'admin'],
  })
  callers = [
    { name: 'the author', headers: { 'x-user-email': AUTHOR }, isReader: true },
    { name: 'a user who is mentioned', headers: { 'x-user-email': MENTIONED }, isReader: true },
    { name: 'an API key of the author', headers: key.headers, isReader: true },
    { name: 'another member', headers: { 'x-user-email': 'olga@example.com' }, isReader: false },
    { name: 'an admin', headers: { 'x-user-email': 'ann@example.com' }, isReader: false },
    { name: 'a caller without identity', headers: {}, isReader: false },
  ]
})
after(() => api.close())

const AUTHOR = 'mel@example.com'
const MENTIONED = 'ben@example.com'
const USERS = {
  [AUTHOR]: 'member',
  [MENTIONED]: 'member',
  'olga@example.com': 'member',
  'ann@example.com': 'admin',
} as const

const PHASES = ['live', 'trash', 'purged'] as const
type Phase = (typeof PHASES)[number]

/** A record that may be private, as the readers look it up. */
interface Tested {
  id: string
  /** A record that belongs to it and goes with it, such as a reply. */
  reply: string
  /** A word that only it contains. */
  word: string
  company: string
  /** The action that created it, and one of its activity records. */
  action: string
  activity: string
  /** A snapshot of the database, from before the last change. */
  snapshot: string
}

/** A kind of record that may be private. */
interface PrivateKind {
  type: 'note' | 'file'
  /** Whether its author alone may see it, not those who are mentioned. */
  isAuthorsOnly?: boolean
  create(
    word: string,
    company: string,
    visibility: 'team' | 'private',
  ): Promise<{ id: string; reply: string }>
  makePrivate(id: string): Promise<unknown>
  /** Changes it, so that there is an event. */
  change(id: string): Promise<unknown>
  remove(id: string): Promise<unknown>
  readers: Reader[]
}

/** A way to read records. */
interface Reader {
  name: string
  /** When it shows a record to those who may see it. */
  shows: readonly Phase[]
  /** `single`: of one record, so that a hidden one is a 404. `list`: its total must be exact. */
  kind?: 'single' | 'list'
  url: (record: Tested) => string
  /** What shows the record, if not its words and ids. */
  shownBy?: (type: PrivateKind['type']) => string
  /** By default, a GET. */
  send?: (url: string, headers: Headers) => Promise<{ status: number; body: unknown }>
}

const as = (headers: Headers) => ({ headers })
const author = as({ 'x-user-email': AUTHOR })
const get = (url: string, headers: Headers) => api.call('GET', url, undefined, as(headers))
const post = (body: object) => (url: string, headers: Headers) => api.call('POST', url, body, as(headers))
const encode = (value: object) => encodeURIComponent(JSON.stringify(value))

/** The first message of an event stream that resumes from a snapshot. */
async function readStream(url: string, headers: Headers): Promise<{ status: number; body: unknown }> {
  const [path, snapshot = ''] = url.split('#')
  const controller = new AbortController()
  const response = await fetch(address + path, {
    headers: { ...headers, 'last-event-id': snapshot },
    signal: controller.signal,
  })
  let text = ''
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream() as ReadableWritablePair<string>,
  )) {
    text += chunk
    if (text.includes('\n\n')) break
  }
  controller.abort()
  assert.match(text, /event: changes/)
  return { status: response.status, body: text }
}

const ALWAYS = PHASES
const LIVE = ['live'] as const

/** The readers that all kinds share. */
const READERS: Reader[] = [
  {
    name: 'activity list',
    shows: ALWAYS,
    kind: 'list',
    url: () => '/api/activity?limit=1000',
  },
  {
    name: 'activity of the record',
    shows: ALWAYS,
    kind: 'list',
    url: ({ id }) => `/api/activity?limit=1000&entity_id=${id}`,
  },
  {
    name: 'filtered activity',
    shows: ALWAYS,
    kind: 'list',
    url: ({ id }) => `/api/activity?limit=1000&filter=${encode({ field: 'entity_id', op: 'eq', value: id })}`,
  },
  {
    name: 'activity of the author',
    shows: ALWAYS,
    kind: 'list',
    url: () => `/api/activity?limit=1000&user_email=${AUTHOR}`,
  },
  {
    name: 'activity of the action',
    shows: ALWAYS,
    kind: 'list',
    url: ({ action }) => `/api/activity?action_id=${action}`,
  },
  {
    name: 'activity record',
    shows: ALWAYS,
    kind: 'single',
    url: ({ activity }) => `/api/activity/${activity}`,
  },
  { name: 'actions', shows: ALWAYS, kind: 'list', url: () => '/api/actions?limit=1000' },
  {
    name: 'actions of the author',
    shows: ALWAYS,
    kind: 'list',
    url: () => `/api/actions?limit=1000&kind=create&user_email=${AUTHOR}`,
  },
  { name: 'action', shows: ALWAYS, kind: 'single', url: ({ action }) => `/api/actions/${action}` },
  {
    name: 'preview of an undo',
    shows: ALWAYS,
    kind: 'single',
    url: ({ action }) => `/api/actions/${action}/undo`,
    send: post({ dry_run: true }),
  },
  { name: 'trash', shows: ['trash'], kind: 'list', url: () => '/api/trash?limit=1000' },
  {
    name: 'event stream',
    shows: ALWAYS,
    url: ({ snapshot }) => `/api/events#${snapshot}`,
    send: readStream,
    shownBy: (type) => `"kind":"${type}"`,
  },
  {
    name: 'event log',
    shows: ALWAYS,
    url: ({ snapshot }) => `/api/events/log?limit=500&after=${Buffer.from(snapshot).toString('base64url')}`,
  },
  { name: 'company', shows: [], url: ({ company }) => `/api/companies/${company}` },
  { name: 'statistics', shows: [], url: () => '/api/stats' },
]

const live = (url: (record: Tested) => string): Pick<Reader, 'shows' | 'kind' | 'url'> => ({
  shows: LIVE,
  kind: 'list',
  url,
})

const NOTES: PrivateKind = {
  type: 'note',
  create: async (word, company, visibility) => {
    const about = [{ type: 'company', id: company }]
    const note = { title: word, body: `About ${word}.`, about, visibility, mentions: [MENTIONED] }
    const { body } = await api.call('POST', '/api/notes', note, author)
    const answer = { body: `A reply about ${word}.`, parent_id: body.data.id }
    const reply = await api.call('POST', '/api/notes', answer, as({ 'x-user-email': MENTIONED }))
    return { id: body.data.id, reply: reply.body.data.id }
  },
  makePrivate: (id) => api.call('PATCH', `/api/notes/${id}`, { visibility: 'private' }, author),
  change: (id) => api.call('PATCH', `/api/notes/${id}`, { pinned: true }, author),
  remove: (id) => api.call('DELETE', `/api/notes/${id}`, undefined, author),
  readers: [
    { name: 'note', ...live(({ id }) => `/api/notes/${id}`), kind: 'single' },
    { name: 'reply', ...live(({ reply }) => `/api/notes/${reply}`), kind: 'single' },
    {
      name: 'note as of now',
      ...live(({ id }) => `/api/notes/${id}?as_of=${new Date().toISOString()}`),
      kind: 'single',
    },
    { name: 'history of the note', ...live(({ id }) => `/api/notes/${id}/history`), kind: 'single' },
    { name: 'notes', ...live(() => '/api/notes?limit=1000') },
    { name: 'notes about the company', ...live(({ company }) => `/api/notes?about=${company}`) },
    { name: 'replies', ...live(({ id }) => `/api/notes?parent_id=${id}`) },
    { name: 'search', ...live(({ word }) => `/api/notes?search=${word}`) },
    { name: 'notes by author', ...live(() => `/api/notes?author_email=${AUTHOR}`) },
    {
      name: 'filtered notes',
      ...live(() => `/api/notes?filter=${encode({ field: 'author_email', op: 'eq', value: AUTHOR })}`),
    },
    {
      name: 'quick search',
      shows: (FOUND_TYPES as readonly string[]).includes('note') ? LIVE : [],
      url: ({ word }) => `/api/search?q=${word}`,
    },
    { name: 'export of notes', shows: LIVE, url: () => '/api/notes/export' },
  ],
}

const files = filesOf(() => api)

const FILES: PrivateKind = {
  type: 'file',
  isAuthorsOnly: true,
  create: async (word, company, visibility) => {
    const about = [{ type: 'company', id: company }]
    const { id } = await files.upload({ about, visibility, fileName: `${word}.txt`, content: word }, AUTHOR)
    return { id, reply: id }
  },
  makePrivate: (id) => api.call('PATCH', `/api/files/${id}`, { visibility: 'private' }, author),
  change: (id) => files.version(id, `Another ${++number}`, AUTHOR),
  remove: (id) => api.call('DELETE', `/api/files/${id}`, undefined, author),
  readers: [
    { name: 'file', ...live(({ id }) => `/api/files/${id}`), kind: 'single' },
    { name: 'content', ...live(({ id }) => `/api/files/${id}/content`), kind: 'single' },
    { name: 'history of the file', ...live(({ id }) => `/api/files/${id}/history`), kind: 'single' },
    { name: 'versions of the file', ...live(({ id }) => `/api/files/${id}/versions`), kind: 'single' },
    { name: 'files', ...live(() => '/api/files?limit=1000') },
    { name: 'files about the company', ...live(({ company }) => `/api/files?about=${company}`) },
    { name: 'search', ...live(({ word }) => `/api/files?search=${word}`) },
    { name: 'files by uploader', ...live(() => `/api/files?uploaded_by=${AUTHOR}`) },
    {
      name: 'filtered files',
      ...live(() => `/api/files?filter=${encode({ field: 'uploaded_by', op: 'eq', value: AUTHOR })}`),
    },
    { name: 'timeline', shows: LIVE, url: ({ company }) => `/api/companies/${company}/timeline` },
  ],
}

const KINDS = [NOTES, FILES]
let number = 0

/** A record with its activity. */
async function createRecord(kind: PrivateKind, visibility: 'team' | 'private'): Promise<Tested> {
  const word = `word${++number}x`
  const { body } = await api.call('POST', '/api/companies', { name: `Company ${number}` })
  const company: string = body.data.id
  const snapshot = await readSnapshot()
  const created = await kind.create(word, company, visibility)
  const { rows } = await sql<{ id: string; action_id: string }>`
    select id, action_id from activity where entity_id = ${created.id} order by id limit 1`.execute(
    api.context.db,
  )
  const { id: activity, action_id: action } = rows[0] as { id: string; action_id: string }
  return { ...created, word, company, activity, action, snapshot }
}

async function readSnapshot(): Promise<string> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(
    api.context.db,
  )
  return rows[0]?.snapshot as string
}

const callersOf = ({ isAuthorsOnly }: PrivateKind) =>
  callers.map((caller) =>
    isAuthorsOnly && caller.name === 'a user who is mentioned' ? { ...caller, isReader: false } : caller,
  )

/** What is wrong with the answers that all callers get from all readers. */
async function check(kind: PrivateKind, record: Tested, phase: Phase, isPrivate: boolean): Promise<string[]> {
  const wrong: string[] = []
  for (const reader of [...READERS, ...kind.readers])
    for (const { name, headers, isReader } of callersOf(kind)) {
      const { status, body } = await (reader.send ?? get)(reader.url(record), headers)
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const mentioned = [record.id, record.reply, record.word, record.action, record.activity]
      const shownBy = reader.shownBy ? [reader.shownBy(kind.type)] : mentioned
      const isShown = reader.kind === 'single' ? status !== 404 : shownBy.some((one) => text.includes(one))
      const expected = reader.shows.includes(phase) && (isReader || !isPrivate)
      const where = `${reader.name} of ${name}`
      if (isShown !== expected)
        wrong.push(`${where}: ${expected ? 'not shown' : `shown: ${text.slice(0, 300)}`}`)
      if (status !== (reader.kind === 'single' && !expected ? 404 : status === 409 ? 409 : 200))
        wrong.push(`${where}: status ${status}`)
      if (status === 404 && !expected && isPrivate && !isReader && !/^.*No \w[\w ]* has the id/.test(text))
        wrong.push(`${where}: ${text}`)
      if (reader.kind === 'list') {
        const { data, pagination } = body as { data: unknown[]; pagination: { total: number } }
        if (data.length !== pagination.total)
          wrong.push(`${where}: total ${pagination.total}, ${data.length} records`)
      }
    }
  return wrong
}

// A quick run makes all requests for the private note alone: live, in the trash, and purged.
for (const kind of KINDS)
  for (const visibility of ['team, then private', 'private', 'team'] as const)
    test(`who sees a ${kind.type} that is ${visibility}, in the trash, and purged`, {
      skip: slow && visibility !== 'team, then private',
    }, async () => {
      const isPrivate = visibility !== 'team'
      const record = await createRecord(kind, visibility === 'private' ? 'private' : 'team')
      if (visibility === 'team, then private') {
        if (!isQuick) assert.deepEqual(await check(kind, record, 'live', false), [])
        await kind.makePrivate(record.id)
        record.snapshot = await readSnapshot()
        await kind.change(record.id)
      }
      assert.deepEqual(await check(kind, record, 'live', isPrivate), [])
      await foldCounters(api.context.db, COUNTERS)

      record.snapshot = await readSnapshot()
      await kind.remove(record.id)
      assert.deepEqual(await check(kind, record, 'trash', isPrivate), [])
      const others = callersOf(kind).filter(({ isReader }) => !isReader)
      if (isPrivate)
        for (const { headers } of others)
          for (const method of ['POST', 'DELETE'] as const) {
            const url = `/api/trash/${record.id}${method === 'POST' ? '/restore' : ''}`
            const refused = await api.call(method, url, undefined, as(headers))
            assert.equal(refused.status, 404)
            const unknown = await api.call(
              method,
              url.replace(record.id, `${kind.type}_x`),
              undefined,
              as(headers),
            )
            assert.equal(refused.body.details, unknown.body.details.replace(`${kind.type}_x`, record.id))
          }

      const restored = await api.call('POST', `/api/trash/${record.id}/restore`, undefined, author)
      assert.equal(restored.status, 200)
      if (!isQuick) assert.deepEqual(await check(kind, record, 'live', isPrivate), [], 'restored')
      await kind.remove(record.id)
      record.snapshot = await readSnapshot()
      assert.equal((await api.call('DELETE', `/api/trash/${record.id}`, undefined, author)).status, 204)
      assert.deepEqual(await check(kind, record, 'purged', isPrivate), [])
    })

const OLGA = as({ 'x-user-email': 'olga@example.com' })
const createCompany = async (name: string): Promise<string> =>
  (await api.call('POST', '/api/companies', { name })).body.data.id

test('a merge and its undo move private notes whole, and tell only their readers', async () => {
  const [kept, merged] = await Promise.all(['Kept', 'Merged'].map(createCompany))
  const about = (id: string | undefined) => [{ type: 'company', id }]
  const ids: string[] = []
  for (const title of ['First', 'Second']) {
    const note = { title, body: 'Private.', about: about(merged), visibility: 'private' }
    ids.push((await api.call('POST', '/api/notes', note, author)).body.data.id)
  }
  const [first, second] = ids
  const merge = await api.call('POST', `/api/companies/${kept}/merge`, { from: [merged] }, OLGA)
  assert.equal(merge.body.data.moved.notes, 0)
  const action: string = merge.body.data.action_id
  const seen = async (id: string, caller: typeof OLGA) =>
    (await api.call('GET', `/api/actions/${id}`, undefined, caller)).body.data
  const [ofOlga, ofAuthor] = [await seen(action, OLGA), await seen(action, author)]
  assert.deepEqual([ofOlga.activity.note_updated, ofAuthor.activity.note_updated], [undefined, 2])
  assert.equal(ofAuthor.records - ofOlga.records, 2)
  const listed = await api.call('GET', '/api/actions?kind=merge', undefined, OLGA)
  assert.equal(listed.body.data[0].records, ofOlga.records)

  const elsewhere = [...about(await createCompany('Elsewhere')), ...about(kept)]
  await api.call('PATCH', `/api/notes/${first}`, { about: elsewhere }, author)
  const dry = await api.call('POST', `/api/actions/${action}/undo`, { dry_run: true }, OLGA)
  const undo = await api.call('POST', `/api/actions/${action}/undo`, {}, OLGA)
  const [{ action_id: _none, ...planned }, { action_id, ...done }] = [dry.body.data, undo.body.data]
  assert.deepEqual(planned, done)
  assert.deepEqual(done.skipped, [])
  assert.deepEqual((await seen(action_id, OLGA)).outcome, { finished: true, ...done })
  const { outcome } = await seen(action_id, author)
  assert.equal(outcome.reverted - done.reverted, 2)
  assert.deepEqual(outcome.skipped, [
    { entity_type: 'note', entity_id: first, field: `about.${kept}`, reason: 'changed_since' },
  ])
  const note = await api.call('GET', `/api/notes/${second}`, undefined, author)
  assert.equal(note.body.data.about[0].id, merged)
})

test('followers are told of notes that they may see, as long as they may', async () => {
  const followed = await createCompany('Followed')
  const isTold = async (id: string, headers: Headers) => {
    const { status, body } = await get('/api/notifications?limit=200', headers)
    const isUser = Object.keys(headers).length > 0
    assert.equal(status, isUser ? 200 : 401)
    const told = (body as { data?: { subject: { id: string } }[]; unread?: number }) ?? {}
    if (isUser) assert.equal(told.data?.length, told.unread)
    return JSON.stringify(body).includes(id)
  }
  for (const { headers } of callers.filter(({ headers }) => Object.keys(headers).length > 0))
    await api.call('PUT', `/api/companies/${followed}/follow`, undefined, as(headers))
  const create = async (fields: object) => {
    const note = { body: 'Secret words', about: [{ type: 'company', id: followed }], ...fields }
    const { body } = await api.call('POST', '/api/notes', note, author)
    const answer = { body: 'A secret reply', parent_id: body.data.id }
    const reply = await api.call('POST', '/api/notes', answer, as({ 'x-user-email': MENTIONED }))
    await notify(api.context.backgroundDb, api.context.log, new AbortController().signal)
    return [body.data.id, reply.body.data.id] as [string, string]
  }
  /** The author is told of the reply alone, and who is mentioned of the note alone. */
  const check = async ([note, reply]: [string, string], isPrivate: boolean, phase: string) => {
    for (const { name, headers, isReader } of callers) {
      const isAuthor = isReader && name !== 'a user who is mentioned'
      const isKnown = Object.keys(headers).length > 0 && (isReader || !isPrivate)
      assert.equal(await isTold(note, headers), isKnown && !isAuthor, `${phase}: the note to ${name}`)
      const isReply = isKnown && name !== 'a user who is mentioned'
      assert.equal(await isTold(reply, headers), isReply, `${phase}: the reply to ${name}`)
      assert.doesNotMatch(
        JSON.stringify((await get('/api/notifications', headers)).body),
        isPrivate ? /secret/i : /^$/,
      )
    }
  }
  const notes = await create({ visibility: 'private', mentions: [MENTIONED] })
  await check(notes, true, 'private')
  for (const id of notes) await api.call('DELETE', `/api/notes/${id}`, undefined, author)
  const open = await create({ mentions: [MENTIONED] })
  await check(open, false, 'team')
  await NOTES.makePrivate(open[0])
  await check(open, true, 'private since')
})

test('an import of private notes is known to those who may see one of them, and its report to its user', async () => {
  const company = await createCompany('Imported')
  const header = 'id,kind,body,happened_at,about_ids,updated_at,visibility,author_email,mentions\n'
  const importNotes = async (visibilities: string[]) => {
    const row = (visibility: string) =>
      `,note,Imported text ${visibilities.join(' ')},,${company},,${visibility},,${MENTIONED}\n`
    const { body } = await api.call('POST', '/api/notes/import', undefined, {
      payload:
        header + visibilities.map((visibility, n) => row(visibility).replace('text', `text ${n}`)).join(''),
      headers: { 'content-type': 'text/csv', 'x-user-email': AUTHOR },
    })
    assert.equal(body.data.created, visibilities.length, JSON.stringify(body))
    return body.data.action_id as string
  }
  for (const visibilities of [
    ['private', 'private'],
    ['private', 'team'],
  ]) {
    const action = await importNotes(visibilities)
    const id = action.replace('ax_', 'imp_')
    const isHidden = !visibilities.includes('team')
    for (const { name, headers, isReader } of callers) {
      const isUser = isReader && name !== 'a user who is mentioned'
      const one = await get(`/api/imports/${id}`, headers)
      assert.equal(one.status, isUser ? 200 : 404, name)
      const list = await get('/api/imports', headers)
      assert.equal(JSON.stringify(list.body).includes(id), isUser, name)
      assert.equal(list.body.data.length, list.body.pagination.total, name)
      const isKnown = isReader || !isHidden
      assert.equal((await get(`/api/actions/${action}`, headers)).status, isKnown ? 200 : 404, name)
      const activity = await get('/api/activity?limit=1000&activity_type=notes_imported', headers)
      assert.equal(JSON.stringify(activity.body).includes(id), isKnown, name)
      assert.equal(activity.body.data.length, activity.body.pagination.total, name)
    }
  }
})

test('many events are summed up apart for those who may see them', async () => {
  const snapshot = await readSnapshot()
  const [company] = await Promise.all(Array.from({ length: 101 }, (_value, n) => createCompany(`Many ${n}`)))
  for (const title of ['One', 'Two']) {
    const note = { title, body: 'x', about: [{ type: 'company', id: company }], visibility: 'private' }
    await api.call('POST', '/api/notes', note, author)
  }
  for (const { name, headers, isReader } of callers) {
    if (name === 'a user who is mentioned') continue
    const { body } = await readStream(`/api/events#${snapshot}`, headers)
    const [, data = ''] = /^data: (.*)$/m.exec(String(body)) ?? []
    const kinds = JSON.parse(data).map(
      ({ kind, count }: { kind: string; count: number }) => `${kind} ${count}`,
    )
    assert.deepEqual(kinds.sort(), isReader ? ['company 101', 'note 2'] : ['company 101'], name)
  }
})
