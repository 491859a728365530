import assert from 'node:assert/strict'
import type { Answer, TestApp } from '#src/testing/app.ts'
import type { RecordImportReport } from '../record-schema.ts'

/** A person as the API shows them. */
export interface ShownPerson {
  id: string
  name: string
  emails: string[]
  phones: string[]
  links: string[]
  headline: string | null
  location: string | null
  tags: string[]
  owner_email: string | null
  custom: Record<string, unknown>
  companies: { company_id: string; name: string; role: string | null; is_primary: boolean }[]
}

/** Imports files of people, notes, or deals over HTTP. */
export class RecordImportsUnderTest {
  readonly api: TestApp
  readonly #path: string

  constructor(api: TestApp, path: '/api/people/import' | '/api/notes/import' | '/api/dealflow/import') {
    this.api = api
    this.#path = path
  }

  send(file: string | Buffer, query: Record<string, string> = {}): Promise<Answer> {
    return this.api.call('POST', this.#path, undefined, {
      payload: file,
      headers: { 'content-type': 'text/csv', 'x-user-email': 'ada@example.com' },
      query,
    })
  }

  async report(file: string | Buffer, query: Record<string, string> = {}): Promise<RecordImportReport> {
    const answer = await this.send(file, query)
    assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 1000))
    return answer.body.data
  }

  /**
   * Makes a dry run, imports the file, and imports it again. Checks that the dry run says what happens, and that the second
   * import changes nothing.
   */
  async import(file: string | Buffer, query: Record<string, string> = {}): Promise<RecordImportReport> {
    const before = await this.#records()
    const dry = await this.report(file, { ...query, dry_run: 'true' })
    assert.deepEqual(await this.#records(), before, 'a dry run writes nothing')
    const report = await this.report(file, query)
    assert.deepEqual(comparable(dry), comparable(report), 'the dry run says what the import does')
    const after = await this.#records()
    const again = await this.report(file, query)
    const { created, updated, action_id, changes } = again
    assert.deepEqual(
      { created, updated, action_id, changes, companies: again.companies.created },
      { created: 0, updated: 0, action_id: null, changes: [], companies: 0 },
      'a second import changes nothing',
    )
    assert.deepEqual(await this.#records(), after)
    return { ...report, preview: dry.preview }
  }

  async people(query = ''): Promise<ShownPerson[]> {
    return (await this.api.call('GET', `/api/people?limit=1000&sort=created_at${query}`)).body.data
  }

  async person(name: string): Promise<ShownPerson> {
    const found = (await this.people()).filter((person) => person.name === name)
    assert.equal(found.length, 1, `${found.length} people are called ${name}`)
    return found[0] as ShownPerson
  }

  async #records() {
    const total = async (path: string) =>
      (await this.api.call('GET', `${path}?limit=0`)).body.pagination.total
    const paths = ['/api/people', '/api/companies', '/api/notes', '/api/dealflow']
    return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await total(path)])))
  }
}

const comparable = ({ action_id, dry_run, preview, ...report }: RecordImportReport) => report
