import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'

/** Histories, each of which has several merges. */
const CASES = Number(process.env.MERGE_CASES ?? 100)
const SEED = Number(process.env.TEST_SEED ?? 17)

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const random = createRandom(SEED)
const chance = (share: number) => random() < share
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
const some = <T>(values: readonly T[], share: number): T[] => values.filter(() => chance(share))
let unique = 0

const FIELDS: Record<string, () => unknown> = {
  emails: () => some(['a@proof.example', 'b@proof.example', 'c@proof.example'], 0.5),
  phones: () => some(['+4930123456', '+4773590000'], 0.5),
  links: () => some(['https://a.example', 'https://b.example'], 0.5),
  headline: () => pick(['Founder', 'Zoë\'s "partner"']),
  location: () => pick(['Oslo', 'Köln']),
  tags: () => some(['Angel', 'angel', 'Scout'], 0.5),
  custom: () => pick([{ school: 'NTNU' }, { school: 'ETH', seat: 'Board' }, {}]),
}

/** A merge that is in effect. */
interface Merge {
  action_id: string
  survivor: string
  from: string[]
}

/** One random history of merges, undos and edits. */
class History {
  readonly #ids: string[] = []
  readonly #companies: string[]
  readonly #notes: string[] = []
  readonly #alive = new Set<string>()
  readonly #merges: Merge[] = []
  /** The last value of each edited field, by person; links by company. */
  readonly #edits = new Map<string, Record<string, unknown>>()
  readonly #links = new Map<string, Fields>()

  constructor(companies: string[]) {
    this.#companies = companies
  }

  async createPeople(): Promise<void> {
    do {
      const linked = some(this.#companies, 0.5).map((company_id) => ({
        company_id,
        role: pick(['CEO', 'CTO', null]),
        until: pick(['2024-12-31', null]),
      }))
      const primary = chance(0.6) ? pick(linked) : undefined
      const companies = linked.map((link) => (link === primary ? { ...link, is_primary: true } : link))
      const fields = Object.fromEntries(
        some(Object.entries(FIELDS), 0.6).map(([name, value]) => [name, value()]),
      )
      const { id } = ok(
        await api.call('POST', '/api/people', { name: `P ${unique++}`, companies, ...fields }),
      )
      this.#ids.push(id)
      this.#alive.add(id)
    } while (this.#ids.length < 3 || (this.#ids.length < 7 && chance(0.7)))
    while (chance(0.6)) {
      const about = [...new Set([pick(this.#ids), ...some(this.#ids, 0.3)])].map((id) => ({
        type: 'person',
        id,
      }))
      const note = { kind: 'meeting', body: 'Met.', about, participants: some(this.#ids, 0.4) }
      this.#notes.push(ok(await api.call('POST', '/api/notes', note)).id)
    }
    if (!chance(0.2)) return
    const [id] = this.#ids as [string]
    ok(await api.call('DELETE', `/api/people/${id}`))
    this.#alive.delete(id)
  }

  async merge(): Promise<void> {
    const [survivor, ...others] = this.#shuffled()
    if (survivor === undefined || others.length === 0) return
    const from = others.slice(0, chance(0.6) ? 1 : 2)
    const choose = Object.fromEntries(
      some(['name', 'headline', 'emails'], 0.2).map((field) => [field, pick([survivor, ...from])]),
    )
    const { action_id } = ok(await api.call('POST', `/api/people/${survivor}/merge`, { from, choose }))
    this.#merges.push({ action_id, survivor, from })
    for (const id of from) {
      this.#alive.delete(id)
      const { status, headers } = await api.call('GET', `/api/people/${id}`)
      assert.deepEqual([status, headers.location], [301, `/api/people/${survivor}`])
    }
  }

  #shuffled(): string[] {
    return [...this.#alive]
      .map((id) => ({ id, order: random() }))
      .sort((a, b) => a.order - b.order)
      .map(({ id }) => id)
  }

  /** Deletes a note, or restores one that is in the trash. */
  async toggleNote(): Promise<void> {
    if (this.#notes.length === 0) return
    const id = pick(this.#notes)
    const { status } = await api.call('DELETE', `/api/notes/${id}`)
    if (status === 404) {
      const restored = await api.call('POST', `/api/trash/${id}/restore`)
      // A note about nothing but a deleted person is not in the trash, and not found.
      assert.ok([200, 404].includes(restored.status), `${restored.status}`)
    }
  }

  /** Undoes a merge, at random one of those that are the last ones of survivors that exist. Others are refused. */
  async undo(): Promise<void> {
    const buried = this.#merges.filter(({ survivor }) => !this.#alive.has(survivor))
    if (buried.length > 0 && chance(0.3))
      assert.equal((await api.call('POST', `/api/actions/${pick(buried).action_id}/undo`, {})).status, 409)
    const possible = this.#merges.filter(
      ({ survivor }, index) =>
        this.#alive.has(survivor) &&
        !this.#merges.slice(index + 1).some((later) => later.survivor === survivor),
    )
    if (possible.length === 0) return
    const merge = pick(possible)
    let undone = await this.#undoAction(merge.action_id, merge.survivor)
    if (chance(0.3)) {
      // Merged again, and split again.
      const before = await this.#shown()
      const redone = await this.#undoAction(undone.action_id, merge.survivor)
      assert.equal((await api.call('GET', `/api/people/${merge.from[0]}`)).status, 301)
      undone = await this.#undoAction(redone.action_id, merge.survivor)
      assert.deepEqual(await this.#shown(), before)
    }
    this.#merges.splice(this.#merges.indexOf(merge), 1)
    for (const id of merge.from) this.#alive.add(id)
  }

  /** Only edited fields of the survivor are skipped. */
  async #undoAction(action_id: string, survivor: string): Promise<{ action_id: string }> {
    const undone = ok(await api.call('POST', `/api/actions/${action_id}/undo`, {}))
    for (const { entity_id, field, reason } of undone.skipped) {
      assert.deepEqual([entity_id, reason], [survivor, 'changed_since'])
      const name = String(field)
      const isEdited = name.startsWith('companies.')
        ? this.#links.has(`${survivor} ${name.slice('companies.'.length)}`)
        : name in (this.#edits.get(survivor) ?? {})
      assert.ok(isEdited, `${name} was skipped without an edit`)
    }
    return undone
  }

  async #shown(): Promise<Fields[]> {
    const people = []
    for (const id of this.#alive)
      people.push({ ...ok(await api.call('GET', `/api/people/${id}`)), updated_at: null })
    return people
  }

  async edit(): Promise<void> {
    const [id] = this.#shuffled()
    if (id === undefined) return
    const person = ok(await api.call('GET', `/api/people/${id}`))
    const link = person.companies.length > 0 && chance(0.5) ? pick(person.companies as Fields[]) : undefined
    if (link) {
      const { company_id, from, until, is_primary } = link
      const changed = { role: `Role ${unique++}`, from, until, is_primary }
      ok(await api.call('PUT', `/api/companies/${company_id}/people/${id}`, changed))
      this.#links.set(`${id} ${company_id}`, changed)
      return
    }
    const patch = pick([
      { headline: `H ${unique}` },
      { emails: [`${unique}@edit.example`] },
      { tags: [`T ${unique}`] },
    ])
    unique++
    ok(await api.call('PATCH', `/api/people/${id}`, patch))
    this.#edits.set(id, { ...this.#edits.get(id), ...patch })
  }

  async undoAll(): Promise<void> {
    while (this.#merges.length > 0) await this.undo()
  }

  /** People and their links, also in the trash, except when they were last changed. */
  async readAll(): Promise<Fields> {
    const ids = this.#ids
    const { rows } = await sql<{ all: Fields }>`
      select json_build_object(
        'people', (select json_agg(to_jsonb(row) - '{updated_at,search_text}'::text[] order by row.id)
          from people row where id = any(${ids})),
        'trash', (select json_agg(row order by row.id) from trash row where id = any(${ids})),
        'links', (select json_agg(json_build_object('person_id', person_id, 'company_id', company_id, 'role', role,
            'from', from_on, 'until', until_on, 'is_primary', is_primary) order by person_id, company_id)
          from company_people where person_id = any(${ids})),
        'notes', (select json_agg(row order by record_id, relation, target_id) from links row
          where record_id = any(${this.#notes}))) as all`.execute(api.context.db)
    return rows[0]?.all
  }

  /** What there was before, with the edits. */
  expected({ people, links, ...others }: Fields): Fields {
    return {
      ...others,
      people: people.map((person: Fields) => ({ ...person, ...this.#edits.get(person.id) })),
      links:
        links?.map((link: Fields) => ({
          ...link,
          ...this.#links.get(`${link.person_id} ${link.company_id}`),
        })) ?? null,
    }
  }

  /** Links that the survivor only has because they were edited after a merge. */
  addedLinks(): string[] {
    return [...this.#links.keys()]
  }
}

test(`${CASES} random histories of merges, undos and edits of people leave what there was (seed ${SEED})`, async () => {
  const field = { entity: 'person', type: 'text' }
  for (const key of ['school', 'seat'])
    ok(await api.call('POST', '/api/fields', { ...field, label: key, key }))
  const companies: string[] = []
  for (let n = 0; n < 4; n++)
    companies.push(ok(await api.call('POST', '/api/companies', { name: `C ${n}` })).id)
  for (let n = 0; n < CASES; n++) {
    const history = new History(companies)
    await history.createPeople()
    const before = await history.readAll()
    const steps = [
      () => history.merge(),
      () => history.undo(),
      () => history.edit(),
      () => history.toggleNote(),
    ]
    await history.merge()
    do await pick(steps)()
    while (chance(0.85))
    await history.undoAll()
    const actual = await history.readAll()
    const expected = history.expected(before)
    // A link that was edited after a merge had brought it stays.
    const had = new Set(
      expected.links?.map(({ person_id, company_id }: Fields) => `${person_id} ${company_id}`),
    )
    const isBrought = ({ person_id, company_id }: Fields) => !had.has(`${person_id} ${company_id}`)
    for (const { person_id, company_id } of (actual.links ?? []).filter(isBrought))
      assert.ok(history.addedLinks().includes(`${person_id} ${company_id}`), `case ${n}: a link remains`)
    const links = actual.links?.filter((link: Fields) => !isBrought(link))
    assert.deepEqual({ ...actual, links: links?.length ? links : null }, expected, `case ${n}`)
  }
})
