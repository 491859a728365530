import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { testServer } from '#src/testing/database.ts'
import { slow } from '#src/testing/slow.ts'
import { fillDemo } from './demo/fill.ts'

let api: TestApp
let url: string
let folder: string
before(async () => {
  api = await testApp()
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-cli-'))
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...words: string[]) => runCommandLine([...words, '--url', url])

const write = async (name: string, text: string) => {
  const file = path.join(folder, name)
  await writeFile(file, text)
  return file
}

test('import prints a summary and writes the errors to a file', async () => {
  const file = await write('c.csv', 'Firm,city\nAcme,Ulm\n,Bonn\n')
  const errors = path.join(folder, 'errors.csv')
  const dry = await run('import', file, '--map', 'name=Firm', '--dry-run')
  assert.match(dry.output, /Dry run: nothing was written/)
  const { status, output } = await run(
    'import',
    file,
    '--map',
    'name=Firm',
    '--errors',
    errors,
    '--as',
    'ben@example.com',
  )
  assert.equal(status, 1)
  assert.match(output, /created {3}1\n.*failed {4}1\n/s)
  assert.match(output, /row 3, Firm: name is required/)
  assert.equal(await readFile(errors, 'utf8'), 'row,column,message\n3,Firm,name is required.\n')
  assert.equal((await api.call('GET', '/api/activity?user_email=ben@example.com')).body.pagination.total, 2)
})

test('import creates custom fields for columns', async () => {
  const file = await write('vip.csv', 'name,Very important\nVip Looms,yes\n')
  const unknown = await run('import', file, '--map', 'custom.vip=Very important')
  assert.equal(unknown.status, 1)
  assert.match(
    unknown.errors,
    /mapping\.custom\.vip is not a known custom field.* use --create instead of --map\./,
  )
  const { status, output } = await run('import', file, '--create', 'custom.vip=Very important')
  assert.equal(status, 0)
  assert.match(output, /custom\.vip from Very important/)
  const [company] = (await api.call('GET', '/api/companies?search=Vip+Looms')).body.data
  assert.deepEqual(company.custom, { vip: true })
})

test('export filters by any of the values of a repeated filter', { skip: slow }, async () => {
  for (const country_code of ['DE', 'FR', 'IT'])
    await api.call('POST', '/api/companies', { name: `Repeated ${country_code}`, country_code })
  const filters = ['search=Repeated', 'country_code=DE', 'country_code=FR']
  const { output } = await run('export', ...filters.flatMap((filter) => ['--filter', filter]))
  assert.deepEqual(output.match(/Repeated \w+/g), ['Repeated DE', 'Repeated FR'])
})

test('export writes a file or to standard output', async () => {
  const file = path.join(folder, 'out.csv')
  assert.equal((await run('export', file, '--filter', 'search=acme')).status, 0)
  assert.match(await readFile(file, 'utf8'), /^id,name,.*\r\ncmp_\w+,Acme,/)
  assert.match((await run('export')).output, /Acme/)
  assert.match((await run('export')).output, /^id,/)
  assert.match((await run('export', '--bom')).output, /^\ufeffid,/)
})

test('import says what a file holds, and imports people and notes', async () => {
  const people = await write(
    'people.csv',
    'First Name,Last Name,Email,Company\nCli,Person,cli@person.example,Clico\n',
  )
  const unasked = await run('import', people)
  assert.equal(unasked.status, 1)
  assert.match(
    unasked.errors,
    /^This looks like 1 person\. The columns First Name and Last Name show it\.\nAdd --holds people/,
  )
  const dry = await run('import', people, '--dry-run')
  assert.match(
    dry.output,
    /^This looks like 1 person.*created {3}1\n.*Clico: not found \(1 row\).*Use --create-companies/s,
  )
  const done = await run('import', people, '--holds', 'people', '--create-companies')
  assert.equal(done.status, 0, done.errors)
  assert.match(done.output, /Companies that were created: 1\n {2}Clico \(1 row\)/)
  const notes = await write('notes.csv', 'Tagged Entity,Content\nCli Person,Hello\n')
  const found = await run('import', notes)
  assert.match(found.errors, /^This looks like an Affinity export of notes\./)
  assert.match((await run('import', notes, '--holds', 'notes')).output, /created {3}1/)
  assert.match(
    (await run('import', notes, '--holds', 'theses')).errors,
    /--holds must be companies, people, notes, or deals/,
  )
})

test('import maps the stages of deals, and export writes deals', async () => {
  const file = await write(
    'deals.csv',
    'Deal Name,Deal Stage,Amount,Associated Company\nOne,Intro call,1000,Dealco\nTwo,Passed,€5,Nowhere\n',
  )
  const dry = await run('import', file, '--dry-run')
  assert.match(
    dry.output,
    /^This looks like a HubSpot export of deals\..*"Intro call" is intro_call \(1 row; it may mean meeting\)/s,
  )
  assert.match(dry.output, /Companies whose rows fail:\n {2}Dealco: not found/)
  const settings = ['--create-companies', '--stages', '{"Intro call": "meeting", "Passed": "closed_lost"}']
  const done = await run('import', file, '--holds', 'deals', ...settings)
  assert.equal(done.status, 0, done.errors)
  assert.match(done.output, /created {3}2\n.*"Passed" is closed_lost/s)
  const { output } = await run('export', 'deals', '--filter', 'stage=meeting')
  assert.match(output, /^id,company_id,company_name,.*\r\ndf_[^,]+,cmp_[^,]+,Dealco,,meeting,active,,1000,/s)
  assert.equal(output.trim().split('\n').length, 2)
  const saved = path.join(folder, 'saved.csv')
  assert.equal((await run('export', 'deals', saved)).status, 0)
  assert.match(await readFile(saved, 'utf8'), /closed_lost,lost/)
  assert.equal((await run('export', 'theses', saved)).status, 2)
})

test('theses are imported from Markdown with front matter, once', async () => {
  const theses = await mkdtemp(path.join(folder, 'theses-'))
  await writeFile(path.join(theses, 'a.md'), '---\ncode: AA\ntitle: "A: a"\n---\n# Report\n')
  await writeFile(path.join(theses, 'notes.txt'), 'not a thesis')
  assert.match((await run('import-theses', theses)).output, /1 created, 0 updated, 0 unchanged/)
  assert.match((await run('import-theses', theses)).output, /0 created, 0 updated, 1 unchanged/)
  await writeFile(path.join(theses, 'a.md'), '---\ncode: AA\ntitle: B\n---\n# Report\n')
  assert.match((await run('import-theses', theses)).output, /0 created, 1 updated, 0 unchanged/)
  await writeFile(path.join(theses, 'b.md'), '# no front matter')
  const broken = await run('import-theses', theses)
  assert.equal(broken.status, 1)
  assert.match(broken.errors, /b\.md must begin with front matter/)
})

test('an error is printed as a sentence', { skip: slow || (testServer && 'needs no database') }, async () => {
  const cases: [string[], number, RegExp][] = [
    [['frobnicate'], 2, /Unknown command: frobnicate/],
    [['import'], 2, /import needs a file/],
    [['secrets'], 2, /^secrets needs the word status\.\n\n {2}secrets status +Count .*\n.*\n\nSee npm run/],
    [
      ['upgrade'],
      2,
      /^upgrade needs the word status, plan, or run\.\n\n {2}upgrade status .*\n {2}upgrade run /s,
    ],
    [['person', 'find'], 2, /^person needs the word export or erase, not find\..*--also NAME/s],
    [['import', 'x', '--nonsense'], 2, /--nonsense/],
    [['import', 'x', '--map', 'name'], 2, /--map must be NAME=VALUE/],
    [
      ['import', 'x', '--map', 'name=a', '--map', 'name=b'],
      2,
      /The field name must be in only one --map or --create/,
    ],
    [
      ['import', 'x', '--create', 'vip=a'],
      2,
      /--create must name a custom field, such as custom\.vip=VIP, not "vip=a"/,
    ],
    [['import', path.join(folder, 'missing.csv')], 1, /^There is no such file: .*missing\.csv\n$/],
    [['export', '--filter', 'limit=3'], 1, /limit is not a known query parameter/],
  ]
  for (const [words, status, message] of cases) {
    const result = await run(...words)
    assert.equal(result.status, status, words.join(' '))
    assert.match(result.errors, message)
    assert.doesNotMatch(result.errors, /at .*\.ts:\d+/)
  }
  const unreachable = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      [path.join(import.meta.dirname, 'main.ts'), 'export', '--url', 'http://127.0.0.1:1'],
      (_e, _o, errors) => resolve(errors),
    ),
  )
  assert.match(unreachable, /127\.0\.0\.1:1 cannot be reached\.\nIs it running\? .*pass --url or set API_URL/)
})

test('the demo fills an empty service once', async () => {
  const demo = await testApp({ LLM: 'builtin' })
  try {
    const address = await demo.app.listen({ port: 0, host: '127.0.0.1' })
    await fillDemo(address, () => {})
    const stats = (await demo.call('GET', '/api/stats')).body.data
    assert.equal(stats.companies_total, 360)
    assert.equal(stats.theses_active, 3)
    assert.equal(stats.dealflow_active, 18)
    const { data } = (await demo.call('GET', '/api/companies?limit=1000')).body
    assert.ok(new Set(data.map((company: { country_code: string }) => company.country_code)).size >= 15)
    assert.ok(
      new Set(data.map((company: { industry_category: string }) => company.industry_category)).size >= 10,
    )
    assert.ok(
      data.every(
        (c: { executives: unknown[]; financials: object }) =>
          c.executives.length >= 2 && Object.keys(c.financials).length >= 3,
      ),
    )
    assert.equal((await demo.call('GET', `/assets/companies/${data[0].id}/source.csv`)).status, 200)
    const people = (await demo.call('GET', '/api/people')).body.data
    assert.equal(people.length, 12)
    assert.ok(
      people.every(
        ({ emails, companies }: { emails: string[]; companies: unknown[] }) =>
          emails.length === 1 && companies.length > 0,
      ),
    )
    const notes = (await demo.call('GET', '/api/notes')).body.data
    assert.equal(notes.length, 10)
    assert.equal(notes.filter(({ replies }: { replies: number }) => replies > 0).length, 3)
    assert.ok(notes.some(({ about }: { about: object[] }) => about.length === 3))
    const decisions = (await demo.call('GET', '/api/decisions')).body.data
    assert.deepEqual(
      decisions.map((one: { outcome: string | null; votes: object[] }) => [one.outcome, one.votes.length]),
      [
        [null, 2],
        ['hold', 0],
        ['track', 0],
        ['pass', 0],
        ['pass', 0],
      ],
    )
    assert.ok(decisions[0].deal_id)
    const counts: Record<string, number> = {}
    for (const query of ['due=overdue', 'due=today', 'due=week', 'due=later', 'due=none', 'done=true'])
      counts[query] = (await demo.call('GET', `/api/tasks?${query}&limit=0`)).body.pagination.total
    const tasks = {
      'due=overdue': 2,
      'due=today': 2,
      'due=week': 4,
      'due=later': 3,
      'due=none': 1,
      'done=true': 1,
    }
    assert.deepEqual(counts, tasks)
    const [view] = (await demo.call('GET', '/api/views?entity=company')).body.data
    const filter = encodeURIComponent(JSON.stringify(view.filter))
    const due = (await demo.call('GET', `/api/companies?filter=${filter}`)).body.data
    assert.deepEqual(
      due.map(({ id }: { id: string }) => id),
      [decisions[4].company_id],
    )
    const stages = (await demo.call('GET', '/api/dealflow')).body.data.map(
      (deal: { stage: string }) => deal.stage,
    )
    assert.equal(new Set(stages).size, 4)
    const actions = (await demo.call('GET', '/api/bulk-actions')).body.data
    assert.deepEqual(
      actions.map(({ action_type }: { action_type: string }) => action_type),
      ['enrich_profile'],
    )
    const before = (await demo.call('GET', '/api/activity?limit=1')).body.pagination.total
    await fillDemo(address, () => {})
    assert.equal((await demo.call('GET', '/api/activity?limit=1')).body.pagination.total, before)
  } finally {
    await demo.close()
  }
})

test('a backup of the running service is checked, restored, and never overwritten', {
  skip: slow,
}, async () => {
  const file = path.join(folder, 'deals.backup')
  const made = await run('backup', file)
  assert.equal(made.status, 0, made.errors)
  assert.match(
    made.errors,
    /^Backed up \d+ companies, .* 0 versions of uploaded files, and \d+ profiles and source files of companies to .*deals\.backup \(\d/m,
  )
  const again = await run('backup', file)
  assert.match(again.errors, /deals\.backup exists already\. Choose another name/)
  const nowhere = await run('backup', path.join(folder, 'missing', 'x.backup'))
  assert.deepEqual([again.status, nowhere.status], [1, 1])
  assert.match(nowhere.errors, /^The folder \S+missing does not exist\. Create it first\.$/m)
  assert.match((await run('backup', 'verfy', file)).errors, /^backup takes one file\./m)
  const verified = await runCommandLine(['backup', 'verify', file])
  assert.match(verified.output, /^The backup is whole: \d+ companies/)

  const env = { PATH: process.env.PATH, DATA_DIR: path.join(folder, 'restored') }
  const restored = await runCommandLine(['restore', file], { env })
  assert.equal(restored.status, 0, restored.errors)
  assert.match(restored.output, /^Restored \d+ companies/)
  const twice = await runCommandLine(['restore', file], { env })
  assert.match(twice.errors, /^There is a database in .*Restore into another DATA_DIR/m)
})
