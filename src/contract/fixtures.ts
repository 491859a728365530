import assert from 'node:assert/strict'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, dataOf, unique } from './client.ts'
import { developmentService } from './services.ts'

/** Frequent at first, then slow enough for the rate limits: at most 50 polls per minute, for three minutes. */
const POLL_PAUSES_MS = [...Array(10).fill(250), ...Array(120).fill(1500)]

export const newCompany = (client: Client, fields: object = {}) =>
  dataOf(client.post('/api/companies', { name: `Nordlys ${unique()}`, ...fields }), 201)

export const newCompanies = (client: Client, count: number, fields: object = {}) =>
  Promise.all(Array.from({ length: count }, () => newCompany(client, fields)))

/** The contract has no endpoint to create a thesis, so this uses the service's own. */
export const newThesis = (client: Client, fields: object = {}) =>
  dataOf(client.post('/api/theses', { code: unique(), title: 'Robots for warehouses', ...fields }), 201)

export const newDeal = async (client: Client, fields: object = {}) => {
  const { id: company_id } = await newCompany(client)
  return dataOf(client.post('/api/dealflow', { company_id, ...fields }), 201)
}

export const newBulkAction = async (client: Client, companies = 1, fields: object = {}) => {
  const company_ids = (await newCompanies(client, companies)).map(({ id }) => id)
  return dataOf(
    client.post('/api/bulk-actions', { action_type: 'generate_embeddings', company_ids, ...fields }),
    201,
  )
}

export const readCompany = async (client: Client, id: string) =>
  (await dataOf(client.get(`/api/companies/${id}`))).company

export const readBulkAction = (client: Client, id: string) => dataOf(client.get(`/api/bulk-actions/${id}`))

/** Polls until `check` returns a value. */
export async function eventually<T>(check: () => Promise<T | undefined | false>): Promise<T> {
  for (const pause of POLL_PAUSES_MS) {
    const result = await check()
    if (result) return result
    await sleep(pause)
  }
  assert.fail('The condition was not met in time.')
}

/** Polls a bulk action until it is neither pending nor running. */
export const whenEnded = (client: Client, id: string) =>
  eventually(async () => {
    const action = await readBulkAction(client, id)
    return !['pending', 'running'].includes(action.status) && action
  })

/** Writes a company's file to object storage of the development service, like another program. */
export async function storeFile(companyId: string, name: string, content: string | Buffer): Promise<void> {
  const file = storedFile(companyId, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}

export const storedFile = (companyId: string, name: string): string =>
  path.join(developmentService().dataFolder, 'objects', 'companies', companyId, name)
