import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { csvOf, ImportsUnderTest } from './imports.fixture.ts'

let api: TestApp
let imports: ImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new ImportsUnderTest(api)
})
after(() => api.close())

const RUNS = Number(process.env.IMPORT_RUNS ?? 60)

/** Names that are the same or alike, and evidence that agrees, contradicts, or is missing. `P` distinguishes runs. */
const row = fc.tuple(
  fc.constantFrom('Acme P', 'ACME P', 'Acmé P', 'Beta P', 'Gamma P'),
  fc.constantFrom('', '', 'https://Pa.example', 'https://Pb.example', 'https://linkedin.com/company/P'),
  fc.constantFrom('', '', 'Germany', 'France'),
  fc.constantFrom('', '', 'Berlin', 'Paris'),
)
const files = fc.array(fc.array(row, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })

test('whatever rows say about companies, the dry run is what happens, and a second import changes nothing', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom('keep_apart', 'skip'), async (lists, on_conflict) => {
      const suffix = `r${run++}x`
      for (const list of lists) {
        const rows = list.map((cells) => cells.map((cell) => cell.replace('P', suffix)))
        await imports.import(csvOf([['Company', 'Website', 'Country', 'City'], ...rows]), { on_conflict })
      }
    }),
    { numRuns: RUNS, seed: 38 },
  )
})
