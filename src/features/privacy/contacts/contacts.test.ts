import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { filesOf } from '#src/features/files/files.fixture.ts'
import { sweepUploads } from '#src/features/files/index.ts'
import { newId } from '#src/platform/ids.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { testServer } from '#src/testing/database.ts'
import { whenBlocked } from '#src/testing/locks.ts'

let api: TestApp
before(async () => {
  api = await testApp({ WORKER: 'off', CONTACT_RETENTION_MONTHS: '24' })
  await userWithRole(api, 'bob@example.com', 'member')
})
after(() => api.close())

const bob = { headers: { 'x-user-email': 'bob@example.com' } }
const ok = ({ status, body }: Answer) => {
  assert.ok(status < 300, JSON.stringify(body))
  return body?.data
}
const create = async (path: string, body: object, options = {}) =>
  ok(await api.call('POST', `/api/${path}`, body, options))

/** Counts the rows of each table whose text contains the words, in any case. */
async function grep(words: string): Promise<Record<string, number>> {
  const { db } = api.context
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where relkind = 'r' and nspname not in ('pg_catalog', 'information_schema')`.execute(db)
  const counts: Record<string, number> = {}
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(`${schema}.${name}`)} as record
      where position(${words.toLowerCase()} in lower(record::text)) > 0`.execute(db)
    if (rows[0]?.count) counts[name] = rows[0].count
  }
  return counts
}

interface Used {
  id: string
  name: string
  company: string
  about: string
  hidden: string
}

interface ExportedNote {
  id: string
  visibility: string
  author_email: string
  relations: string[]
  history: unknown[]
}

let number = 0

/** A person with previous details, in notes of all kinds, with all that the service keeps about them. */
async function usePerson(): Promise<Used> {
  const name = `Zoë Contact${++number}`
  const email = `zoe${number}@contact.example`
  const company = (await create('companies', { name: `Firm ${number}` })).id
  ok(
    await api.call('PATCH', `/api/companies/${company}`, undefined, {
      headers: { 'x-user-email': 'ada@example.com', 'content-type': 'application/json' },
      payload: `{"executives":[{"name":"Zoe  contact${number}","title":"CEO"},{"name":"Someone Else","big":12345678901234567890}]}`,
    }),
  )
  const person = await create(
    'people',
    {
      ...{
        name: `Former Name${number}`,
        emails: [`former${number}@contact.example`],
        phones: [`+477359010${number}`],
      },
      ...{ headline: `${name} writes`, links: [`https://linkedin.example/in/zoe-${number}`] },
      companies: [{ company_id: company, role: `Friend of ${name}` }],
    },
    { headers: { 'x-user-email': 'ada@example.com', 'idempotency-key': `person ${number}` } },
  )
  const { id } = person
  ok(await api.call('PATCH', `/api/people/${id}`, { name, emails: [email], phones: [`+493012345${number}`] }))
  const text = `Met **${name.toUpperCase()}** and former name${number}: ${email}, Former${number}@contact.example, +49 30 12 34 5${number}, 73 59 01 0${number}, linkedin.example/in/zoe-${number}.`
  const about = [{ type: 'person', id }]
  const note = await create('notes', { title: `Call with ${name}`, body: text, about })
  ok(await api.call('PATCH', `/api/notes/${note.id}`, { body: `${text} Again.` }))
  await create('notes', { body: `Reply about ${name}`, parent_id: note.id })
  const hidden = await create('notes', { body: text, about, visibility: 'private' }, bob)
  const previous = await create('notes', {
    body: text,
    about: [{ type: 'company', id: company }],
    participants: [id],
  })
  ok(await api.call('PATCH', `/api/notes/${previous.id}`, { participants: [] }))
  const trashed = await create('notes', { body: text, about })
  ok(await api.call('DELETE', `/api/notes/${trashed.id}`))
  const decision = await create('decisions', { company_id: company, body: text })
  ok(await api.call('PATCH', `/api/decisions/${decision.id}`, { body: `${text} Again.` }))
  ok(await api.call('PUT', `/api/decisions/${decision.id}/vote`, { vote: 'no', comment: `Ask ${name}.` }))
  const gone = await create('decisions', { company_id: company, body: text })
  ok(await api.call('DELETE', `/api/decisions/${gone.id}`))
  const task = await create('tasks', { title: `Call ${name}`, about })
  ok(await api.call('PATCH', `/api/tasks/${task.id}`, { title: `Write to ${email}` }))
  const { id: deal } = await create('dealflow', { company_id: company })
  const late = await create('tasks', { title: `Ask ${name}`, about: [{ type: 'deal', id: deal }] })
  ok(await api.call('DELETE', `/api/tasks/${late.id}`))
  await create('tasks', { title: `Mail former${number}@contact.example` })
  await create('tasks', { title: `Zoë has nothing to do with it` })
  const files = filesOf(() => api)
  await files.upload({ about, fileName: `${name}.pdf`, visibility: 'private' }, 'bob@example.com')
  await files.upload({ about: [{ type: 'company', id: company }], fileName: `Mail to ${email} again.txt` })
  await files.upload({ about: [...about, { type: 'company', id: company }], fileName: `CV ${name}.txt` })
  const elsewhere = await create('companies', { name: 'Elsewhere' })
  await create('decisions', { company_id: elsewhere.id, body: `Ask ${email}.` })
  return { id, name, company, about: note.id, hidden: hidden.id }
}

/** What is left of a person in the tables, by their details. */
async function traces(n: number): Promise<Record<string, Record<string, number>>> {
  const words = [
    ...[`zoë contact${n}`, `zoe  contact${n}`, `former name${n}`, `zoe${n}@contact`, `former${n}@contact`],
    ...[`in/zoe-${n}`, `+493012345${n}`, `+477359010${n}`, `30 12 34 5${n}`, `73 59 01 0${n}`],
  ]
  const found = await Promise.all(words.map(async (word) => [word, await grep(word)] as const))
  return Object.fromEntries(found.filter(([_word, tables]) => Object.keys(tables).length > 0))
}

test('an export has everything stored about a contact, private notes too, and is audited', async () => {
  const { id, company, about, hidden } = await usePerson()
  const { status, body } = await api.call('GET', `/api/people/${id}/personal-data`)
  assert.equal(status, 200)
  const { people, companies, history, notes, decisions, executives, tasks, files } = body.data
  assert.deepEqual([people.length, people[0].id, people[0].in_trash], [1, id, false])
  assert.deepEqual(Object.keys(people[0]).sort(), [
    ...['created_at', 'custom', 'emails', 'headline', 'id', 'in_trash', 'links', 'location', 'name'],
    ...['owner_email', 'phones', 'tags', 'updated_at'],
  ])
  assert.equal(companies[0].company_id, company)
  assert.ok(history.some((record: { changes: object }) => record.changes && 'emails' in record.changes))
  const byId = new Map<string, ExportedNote>(notes.map((note: ExportedNote) => [note.id, note]))
  assert.equal(notes.length, 5)
  assert.deepEqual(byId.get(about)?.relations, ['about'])
  assert.equal(byId.get(about)?.history.length, 2)
  assert.deepEqual(
    [byId.get(hidden)?.visibility, byId.get(hidden)?.author_email],
    ['private', 'bob@example.com'],
  )
  assert.equal(notes.filter((note: { in_trash: boolean }) => note.in_trash).length, 1)
  const [own, gone, elsewhere] = decisions
  assert.deepEqual(
    [own.company_id, own.history.length, gone.in_trash, elsewhere.in_trash, decisions.length],
    [company, 3, true, false, 3],
  )
  assert.deepEqual(
    tasks.map((one: { in_trash: boolean; history: object[] }) => [one.in_trash, one.history.length]),
    [
      [false, 2],
      [true, 2],
      [false, 1],
    ],
  )
  assert.deepEqual(
    files.map((one: { versions: object[]; history: object[] }) => [one.versions.length, one.history.length]),
    [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
  )
  assert.deepEqual(
    executives.map((one: { company_id: string; is_linked: boolean; entry: { title: string } }) => [
      ...[one.company_id, one.is_linked, one.entry.title],
    ]),
    [[company, true, 'CEO']],
  )
  await api.context.audit.flush()
  const [entry] = (await api.call('GET', '/api/audit?event=person_exported')).body.data
  assert.deepEqual([entry.user_email, entry.details], ['ada@example.com', { id }])
  assert.equal((await api.call('GET', '/api/people/per_x/personal-data')).status, 404)
})

test('erasing a contact leaves no trace of them but in executives, which can be erased too', async () => {
  const { id, name, company, about, hidden } = await usePerson()
  const n = number
  const before = await traces(n)
  for (const table of [
    'people',
    'activity',
    'notes',
    'trash',
    'companies',
    'company_people',
    'decisions',
    'tasks',
    'files',
  ])
    assert.ok(
      Object.values(before).some((tables) => tables[table]),
      table,
    )
  const wrong = await api.call('POST', `/api/people/${id}/erase`, { confirm: 'Someone' })
  assert.deepEqual(
    [wrong.status, wrong.body.details],
    [400, `confirm must be the name of the person, ${name}: an erasure cannot be undone.`],
  )
  const erased = await api.call('POST', `/api/people/${id}/erase`, { confirm: `zoe contact${n}` })
  const { changed, notes, decisions, tasks, files, action_id } = ok(erased)
  assert.equal(erased.headers['x-action-id'], action_id)
  assert.deepEqual([changed.people, changed.company_people, changed.notes, notes.length], [1, 1, 4, 5])
  assert.deepEqual([changed.decisions, decisions.length], [2, 3])
  assert.deepEqual([changed.tasks, tasks.length], [2, 3])
  const task = ok(await api.call('GET', `/api/tasks/${tasks[0]}`))
  assert.deepEqual([task.title, task.about], ['Write to [erased contact]', []])
  // The private file was about them alone.
  assert.deepEqual([changed.files, files.length], [3, 2])
  const names = await Promise.all(
    files.map(async (file: string) => ok(await api.call('GET', `/api/files/${file}`))),
  )
  assert.deepEqual(
    names.map((file: { name: string; about: object[] }) => [file.name, file.about.length]).sort(),
    [
      ['CV [erased contact].txt', 1],
      ['Mail to [erased contact] again.txt', 1],
    ],
  )
  const { db, objects } = api.context
  const abandoned = await db.selectFrom('pending_uploads').select('object_key').execute()
  assert.equal(abandoned.length, 1)
  await sweepUploads({ db, objects })
  assert.equal(await objects.describe(abandoned[0]?.object_key ?? ''), null)
  const left = await traces(n)
  assert.deepEqual(Object.keys(left), [`zoe  contact${n}`], JSON.stringify(left))
  assert.deepEqual(Object.keys(left[`zoe  contact${n}`] ?? {}).sort(), ['activity', 'companies'])

  const note = ok(await api.call('GET', `/api/notes/${about}`))
  const contact = '[erased contact]'
  assert.equal(note.title, `Call with ${contact}`)
  assert.equal(
    note.body,
    `Met **${contact}** and ${contact}: ${contact}, ${contact}, ${contact}, ${contact}, ${contact}. Again.`,
  )
  assert.deepEqual(note.about, [])
  const decision = ok(await api.call('GET', `/api/decisions/${decisions[0]}`))
  assert.equal(decision.body, note.body)
  assert.equal(decision.votes[0].comment, `Ask ${contact}.`)
  assert.equal((await api.call('GET', `/api/notes/${hidden}`)).status, 404, 'it is still private')
  assert.match(ok(await api.call('GET', `/api/notes/${hidden}`, undefined, bob)).body, /erased contact/)
  assert.equal((await api.call('GET', `/api/people/${id}`)).status, 404)
  assert.equal((await api.call('POST', `/api/actions/${action_id}/undo`, {})).status, 409)
  const { data: records } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.equal(records[0].activity_type, 'person_erased')
  assert.ok(records.length > 2, 'who changed them and when stays')
  const [entry] = (await api.call('GET', '/api/audit?event=person_erased')).body.data
  assert.deepEqual([entry.user_email, entry.details], ['ada@example.com', { id, changed }])

  const again = await api.call('POST', `/api/people/${id}/erase`, { confirm: name })
  assert.deepEqual(ok(again), {
    action_id: null,
    changed: {},
    notes: [],
    decisions: [],
    tasks: [],
    files: [],
  })
  assert.equal((await api.call('POST', '/api/people/per_x/erase', { confirm: name })).status, 404)
  assert.equal(ok(await api.call('GET', `/api/companies/${company}`)).company.executives.length, 2)
})

test('a contact in the trash is erased with further names and with executives, whose other values stay exact', async () => {
  const { id, name, company, about } = await usePerson()
  const n = number
  ok(await api.call('PATCH', `/api/notes/${about}`, { body: `Zoë said yes. Zoëy did not.` }))
  ok(await api.call('DELETE', `/api/people/${id}`))
  const trashed = await create('companies', { name: 'Gone', executives: [name] })
  ok(await api.call('DELETE', `/api/companies/${trashed.id}`))
  const body = { confirm: name, executives: true, also: ['Zoë'] }
  const { changed } = ok(await api.call('POST', `/api/people/${id}/erase`, body))
  assert.deepEqual([changed.companies, changed.people], [1, undefined])
  assert.deepEqual(await traces(n), {})
  assert.equal(
    ok(await api.call('GET', `/api/notes/${about}`)).body,
    '[erased contact] said yes. Zoëy did not.',
  )
  const answer = await api.app.inject({
    url: `/api/companies/${company}`,
    headers: { 'x-user-email': 'ada@example.com' },
  })
  assert.match(answer.body, /"executives":\[\{"name":"Someone Else",\s*"big":12345678901234567890\}\]/)
  const { data } = (await api.call('GET', `/api/companies/${company}/history?field=executives`)).body
  assert.ok(data.length > 0 && !JSON.stringify(data).includes('ontact'))
})

test('a contact is erased with those who were merged into them', async () => {
  const kept = await usePerson()
  const merged = await usePerson()
  const n = number
  ok(await api.call('POST', `/api/people/${kept.id}/merge`, { from: [merged.id] }))
  const moved = await api.call('GET', `/api/people/${merged.id}/personal-data`)
  assert.deepEqual([moved.status, moved.headers.location], [301, `/api/people/${kept.id}/personal-data`])
  const of = await api.call('POST', `/api/people/${merged.id}/erase`, { confirm: merged.name })
  assert.deepEqual([of.status, of.body.details.includes(kept.id)], [409, true])
  const { people } = ok(await api.call('GET', `/api/people/${kept.id}/personal-data`))
  assert.deepEqual(people.map((one: { id: string }) => one.id).sort(), [kept.id, merged.id].sort())
  ok(await api.call('POST', `/api/people/${kept.id}/erase`, { confirm: kept.name, executives: true }))
  assert.deepEqual([await traces(n - 1), await traces(n)], [{}, {}])
})

test('an erasure that fails changes nothing, and can be repeated', async () => {
  const { id, name } = await usePerson()
  const { db } = api.context
  const before = await traces(number)
  await sql`create function fail() returns trigger language plpgsql as
    'begin raise exception ''not now''; end'`.execute(db)
  await sql`create trigger fail before delete on people execute function fail()`.execute(db)
  assert.equal((await api.call('POST', `/api/people/${id}/erase`, { confirm: name })).status, 500)
  await sql`drop function fail() cascade`.execute(db)
  assert.deepEqual(await traces(number), before)
  const keyed = { headers: { 'x-user-email': 'ada@example.com', 'idempotency-key': 'erase' } }
  const body = { confirm: name, executives: true }
  const erased = ok(await api.call('POST', `/api/people/${id}/erase`, body, keyed))
  assert.deepEqual(await traces(number), {})
  const replayed = await api.call('POST', `/api/people/${id}/erase`, body, keyed)
  assert.deepEqual([replayed.headers['idempotency-replayed'], replayed.body.data], ['true', erased])
})

test('people are listed for erasure once neither they nor notes about them have changed for long', async () => {
  const { db } = api.context
  const listed = async () =>
    (await api.call('GET', '/api/people/retention')).body.data as {
      id: string
      last_note_at: string | null
    }[]
  const [old, met, recent] = await Promise.all(
    ['Old', 'Met', 'Recent'].map(async (name) => (await create('people', { name })).id as string),
  )
  const note = await create('notes', { body: 'Lunch', about: [{ type: 'person', id: met }] })
  assert.deepEqual(await listed(), [])
  await sql`update people set updated_at = now() - interval '25 months' where id = any(${[old, met]})`.execute(
    db,
  )
  assert.deepEqual(
    (await listed()).map(({ id, last_note_at }) => [id, last_note_at]),
    [[old, null]],
  )
  await sql`
    update notes set created_at = now() - interval '25 months', updated_at = now() - interval '25 months',
      happened_at = now() + interval '1 month' where id = ${note.id}`.execute(db)
  assert.ok(!(await listed()).some(({ id }) => id === met), 'a meeting is planned')
  await sql`update notes set happened_at = now() - interval '26 months' where id = ${note.id}`.execute(db)
  assert.deepEqual((await listed()).map(({ id }) => id).sort(), [old, met].sort())
  assert.ok(recent)
})

test('an erasure replaces texts, but no words of the API and no email addresses of users', async () => {
  const ben = { headers: { 'x-user-email': 'ben@example.com' } }
  await userWithRole(api, 'ben@example.com', 'member')
  const { id } = await create('people', { name: 'Body' })
  const about = [{ type: 'person', id }]
  const text = 'Called Ben, not ben@example.com.'
  const mentions = ['ben@example.com']
  const trashed = await create('notes', { body: text, about, visibility: 'private' }, ben)
  ok(await api.call('DELETE', `/api/notes/${trashed.id}`, undefined, ben))
  const changed = await create('notes', { body: text, about, mentions: [] }, ben)
  const update = await api.call('PATCH', `/api/notes/${changed.id}`, { body: 'Ben again', mentions }, ben)
  ok(await api.call('POST', `/api/people/${id}/erase`, { confirm: 'Body', also: ['Ben', 'note'] }))

  ok(await api.call('POST', `/api/trash/${trashed.id}/restore`, undefined, ben))
  const restored = ok(await api.call('GET', `/api/notes/${trashed.id}`, undefined, ben))
  assert.deepEqual(
    [restored.kind, restored.author_email, restored.body],
    ['note', 'ben@example.com', 'Called [erased contact], not ben@example.com.'],
  )
  const { skipped } = ok(await api.call('POST', `/api/actions/${update.headers['x-action-id']}/undo`, {}))
  assert.deepEqual(skipped, [])
  const undone = ok(await api.call('GET', `/api/notes/${changed.id}`, undefined, ben))
  assert.deepEqual([undone.body, undone.mentions], [restored.body, []])
})

test('a contact is erased from the reports of imports of their notes', async () => {
  const { id } = await create('people', { name: 'Zebulon Quark', emails: ['zeb@quark.example'] })
  const importing = async () => {
    const headers = {
      'content-type': 'text/csv',
      'idempotency-key': 'notes',
      'x-user-email': 'ada@example.com',
    }
    const url = '/api/notes/import?file_name=Zebulon%20Quark.csv'
    const payload = 'Note body,Contact email\nMet Zebulon Quark at the fair,zeb@quark.example\n'
    return api.call('POST', url, undefined, { payload, headers })
  }
  const { created } = ok(await importing())
  assert.equal(created, 1)
  const [listed] = (await api.call('GET', '/api/imports')).body.data
  const reported = async () => JSON.stringify(await api.call('GET', `/api/imports/${listed.id}`))
  assert.match(await reported(), /Zebulon/)
  const { changed } = ok(await api.call('POST', `/api/people/${id}/erase`, { confirm: 'Zebulon Quark' }))
  assert.equal(changed.imports, 1)
  assert.doesNotMatch(await reported(), /Zebulon|zeb@quark/)
  assert.match(await reported(), /Met \[erased contact\] at the fair/)
  assert.deepEqual([await grep('Zebulon'), await grep('zeb@quark')], [{}, {}])
})

test('an erasure waits for changes of the notes, and erases what they wrote', {
  skip: !testServer && 'the embedded database has one connection',
}, async () => {
  const { db } = api.context
  const { id } = await create('people', { name: 'Quentin Zebra' })
  const note = await create('notes', { body: 'Met Quentin Zebra', about: [{ type: 'person', id }] })
  const { erasure } = await db.transaction().execute(async (transaction) => {
    await sql`select from notes where id = ${note.id} for no key update`.execute(transaction)
    const running = api.call('POST', `/api/people/${id}/erase`, { confirm: 'Quentin Zebra' })
    await whenBlocked(transaction, /notes/)
    await sql`update notes set body = 'Met Quentin Zebra twice' where id = ${note.id}`.execute(transaction)
    await sql`
      insert into activity (id, activity_type, entity_type, entity_id, "timestamp", metadata, changes, action_id, via)
      select ${newId('act')}, 'note_updated', 'note', entity_id, now(), '{}',
        '{"body": {"from": "Met Quentin Zebra", "to": "Met Quentin Zebra twice"}}', action_id, via
      from activity where entity_id = ${note.id}`.execute(transaction)
    return { erasure: running }
  })
  ok(await erasure)
  assert.deepEqual(await grep('Quentin'), {})
})
