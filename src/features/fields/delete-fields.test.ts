import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { ada } from '#src/testing/settings.ts'
import { CUSTOM_FIELD_TYPES, type CustomField } from './schema.ts'
import { isUsed, requireStillUnused } from './used-values.ts'

let service: TestApp
before(async () => {
  service = await testApp({ EMBEDDINGS: 'off' })
  await service.call('GET', `/api/users/${ada}`)
})
after(() => service.close())

let fields = 0

async function newField(input: object): Promise<CustomField> {
  const field = { entity: 'company', label: `Field ${++fields}`, ...input }
  return (await service.call('POST', '/api/fields', field)).body.data
}

const newCompany = async (custom: object): Promise<{ id: string }> =>
  (await service.call('POST', '/api/companies', { name: `With field ${fields}`, custom })).body.data

const patch = (id: string, custom: object) => service.call('PATCH', `/api/companies/${id}`, { custom })

test('asking to delete a field or an option counts its values without holding up writers', {
  skip: !testServer && 'needs a second connection',
}, async () => {
  const options = [{ label: 'One' }, { label: 'Two' }]
  const field = await newField({ type: 'select', options })
  const [one, two] = field.options
  const { id } = await newCompany({ [field.key]: 'One' })
  const path = `/api/fields/${field.id}`
  await service.call('PATCH', path, { archived: true })
  // A writer of custom values holds this lock until it ends.
  const answers = await service.context.db.transaction().execute(async (transaction) => {
    await sql`select version from field_version for share`.execute(transaction)
    return [await service.call('DELETE', path), await service.call('PATCH', path, { options: [two] })]
  })
  assert.deepEqual(
    answers.map(({ status }) => status),
    [409, 409],
  )
  assert.match(answers[0]?.body.details, /removes the values of 1 company\./)
  assert.match(answers[1]?.body.details, /^1 company has an option of /)

  // A field without values is removed without confirmation.
  await service.call('PATCH', path, { archived: false })
  await patch(id, { [field.key]: null })
  assert.deepEqual((await service.call('PATCH', path, { options: [two] })).body.data.options, [two])
  assert.notEqual(one?.id, undefined)
})

test('writers wait a second at most for the last check of a field without an index', {
  skip: !testServer && 'needs a second connection',
}, async () => {
  const field = await newField({ type: 'long_text', label: 'Minutes' })
  const { db, longDb } = service.context
  const check = () => longDb.transaction().execute((transaction) => requireStillUnused(transaction, field))
  await check()
  await db.transaction().execute(async (transaction) => {
    // Reading the table would take as long as this transaction.
    await sql`lock table companies in access exclusive mode`.execute(transaction)
    await assert.rejects(check(), /^Error: The service could not check .* values of Minutes\. Try again/)
  })
  await newCompany({ [field.key]: 'Text' })
  await assert.rejects(check(), /^Error: Records were just given values of Minutes/)
})

test('a field of any type without values is deleted without confirmation', async () => {
  const values: Record<string, unknown> = { number: 1, money: 1, boolean: false, date: '2026-03-01' }
  const texts: Record<string, unknown> = { url: 'https://x.example', email: 'x@x.example', user: ada }
  const chosen: Record<string, unknown> = { select: 'One', multi_select: ['One'] }
  for (const type of CUSTOM_FIELD_TYPES) {
    const value = { ...values, ...texts, ...chosen }[type] ?? 'Text'
    const field = await newField({ type, ...(type in chosen && { options: [{ label: 'One' }] }) })
    const { id } = await newCompany({ [field.key]: value })
    const path = `/api/fields/${field.id}`
    const db = service.context.db
    assert.equal(await isUsed(db, field), true, type)
    await patch(id, { [field.key]: null })
    assert.equal(await isUsed(db, field), false, type)
    await service.call('PATCH', path, { archived: true })
    assert.equal((await service.call('DELETE', path)).status, 204, type)
  }
})
