/** `npm run figures`: prints the figures that keep the code and the API description readable. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseSync } from 'vite'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const files = globSync('{src,web,bench,dev}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['web/dist/**', 'web/.*/**'],
})
const isTest = (file: string) =>
  /\.(?:test|fixture)\.ts$/.test(file) || /^(?:web\/tests|src\/contract)\//.test(file)
/** Names and texts rather than code. */
const isData = (file: string) => /(?:demo\/names|evaluation\/invented-companies)\.ts$/.test(file)

const MAX_LINES = 250
const MAX_TEST_LINES = 400

const linesOf = (file: string) => read(file).split('\n').length - 1
const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0

interface SyntaxNode {
  [key: string]: unknown
  type?: string
  start?: number
  end?: number
  body?: unknown
}

/** The lines of each function of a file that has statements. */
function functionLengths(file: string): number[] {
  const text = read(file)
  const lengths: number[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start = 0, end = 0, body } = node as SyntaxNode
    const isFunction = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type ?? '')
    if (isFunction && (body as SyntaxNode | null)?.type === 'BlockStatement')
      lengths.push(text.slice(start, end).split('\n').length)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, text).program)
  return lengths
}

/** Runs a command of the project and returns what it prints, even if it fails. */
function run(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? ''
  }
}

/** The size of the OpenAPI document, and the lines of the types that openapi-typescript generates from it. */
function printDescription(): void {
  const document = path.join(os.tmpdir(), `deal-pipeline-openapi-${process.pid}.json`)
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'dev/openapi-document.ts', document])
  const parsed = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, object> }
  const bytes = Buffer.byteLength(JSON.stringify(parsed))
  const operations = Object.values(parsed.paths)
    .flatMap(Object.values)
    .filter((value) => 'operationId' in value).length
  const types = document.replace('.json', '.d.ts')
  run('npx', ['--yes', 'openapi-typescript@7.13.0', document, '--output', types])
  const generated =
    statSync(types, { throwIfNoEntry: false }) && readFileSync(types, 'utf8').split('\n').length - 1
  print('/openapi.json, bytes', bytes)
  print('operations', operations)
  print('bytes per operation (at most 3,000)', Math.round(bytes / operations))
  print(
    'generated TypeScript, lines per operation (at most 90)',
    generated ? Math.round(generated / operations) : 'unknown: openapi-typescript could not be run',
  )
}

/** Each rule of architecture.test.ts: rooms, import order, cycles, domain words under platform. */
function printArchitecture(): void {
  const report = run(process.execPath, ['--test', '--test-reporter=tap', 'src/architecture.test.ts'])
  for (const [, failed, name] of report.matchAll(/^(not )?ok \d+ - (.*)$/gm))
    print(name as string, failed ? 'VIOLATED' : 'holds')
}

/** Most of a component is markup, so components are counted apart. */
const PARTS: Record<string, (file: string) => boolean> = {
  service: (file) => file.startsWith('src/'),
  'web app without components': (file) => file.startsWith('web/') && file.endsWith('.ts'),
  components: (file) => file.endsWith('.tsx'),
  'bench and dev': (file) => /^(?:bench|dev)\//.test(file),
}

function printSources(): void {
  const sources = files.filter((file) => !isTest(file) && !isData(file))
  const tests = files.filter(isTest)
  const tooLong = [
    ...sources.filter((file) => linesOf(file) > MAX_LINES),
    ...tests.filter((file) => linesOf(file) > MAX_TEST_LINES),
  ]
  print('source files', sources.length)
  print('source file, median lines', quantile(sources.map(linesOf), 0.5))
  print(`sources over ${MAX_LINES} lines, tests over ${MAX_TEST_LINES}`, tooLong.join(', ') || 'none')
  for (const [name, of] of Object.entries(PARTS))
    print(`function, p90 lines, ${name}`, quantile(sources.filter(of).flatMap(functionLengths), 0.9))
  print('test files', tests.filter((file) => file.endsWith('.test.ts')).length)
  print('tests', tests.flatMap((file) => [...read(file).matchAll(/^ *(?:await )?test\(/gm)]).length)
}

const print = (name: string, value: string | number) =>
  console.log(`${name}: ${typeof value === 'number' ? value.toLocaleString('en') : value}`)

printSources()
printArchitecture()
printDescription()
