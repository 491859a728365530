import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')
const files = globSync('{src,bench,dev,web}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['web/dist/**', 'web/.*/**'],
})
const sources = files.filter((file) => !file.endsWith('.test.ts'))

/** The files of ours that a file imports, from the project's root, and its packages by name. */
function importsOf(file: string): { own: string[]; packages: string[] } {
  const text = readFileSync(path.join(root, file), 'utf8')
  const specifiers = [
    ...text.matchAll(
      /(?:^|\n)(?:import|export)(?:\b[^'"]*?\sfrom)?\s*['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/g,
    ),
  ]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((specifier) => !specifier.startsWith('node:'))
  const isOwn = (specifier: string) => /^(?:\.|#src\/|#dev\/|#web\/|#strings\/)/.test(specifier)
  return {
    own: specifiers
      .filter(isOwn)
      .map((specifier) =>
        specifier.startsWith('#')
          ? ofRoot(specifier)
          : path.relative(root, path.resolve(root, path.dirname(file), specifier)),
      ),
    packages: specifiers.filter((specifier) => !isOwn(specifier)),
  }
}

/** As `imports` in package.json says. */
const ofRoot = (specifier: string) =>
  specifier
    .slice(1)
    .replace(/^web\//, 'web/src/')
    .replace(/^strings\//, 'web/src/strings/en/')

const sliceOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1]
const isIn =
  (...folders: string[]) =>
  (file: string) =>
    folders.some((folder) => file.startsWith(folder))
const isTypeOnly = (file: string, imported: string) =>
  new RegExp(`import type [^'"]*['"][^'"]*${path.basename(imported)}['"]`).test(
    readFileSync(path.join(root, file), 'utf8'),
  )

/** Fails with a line for each import that the rule does not allow. */
function allow(of: (file: string) => boolean, isAllowed: (imported: string, file: string) => boolean): void {
  const own = sources.filter(of)
  assert.notEqual(own.length, 0, 'the rule applies to no file')
  const broken = own.flatMap((file) =>
    importsOf(file)
      .own.filter((imported) => !isAllowed(imported, file))
      .map((imported) => `${file} imports ${imported}`),
  )
  assert.deepEqual(broken, [])
}

test('platform/ imports platform/ and packages only', () => {
  allow(isIn('src/platform/'), isIn('src/platform/'))
})

const isSchema = (file: string) => /^src\/features\/[^/]+\/(?:[a-z]+-)?schema\.ts$/.test(file)

test('schema.ts and its like import TypeBox, platform/shapes.ts and each other only', () => {
  allow(isSchema, (imported) => isSchema(imported) || imported === 'src/platform/shapes.ts')
  const packages = sources.filter(isSchema).flatMap((file) => importsOf(file).packages)
  assert.deepEqual([...new Set(packages)], ['typebox'])
})

test('store.ts sees platform/ and its own slice, and no Fastify', () => {
  const isStore = (file: string) => /\/store\.ts$/.test(file)
  allow(isStore, (imported, file) => isIn('src/platform/')(imported) || sliceOf(imported) === sliceOf(file))
  for (const file of sources.filter(isStore)) {
    assert.ok(!importsOf(file).packages.some((name) => /fastify/.test(name)), `${file} imports Fastify`)
    assert.ok(
      !importsOf(file).own.some((imported) => imported.endsWith('routes.ts')),
      `${file} imports routes`,
    )
  }
})

test('slices see each other by schema.ts and store.ts only, and the context as a type', () => {
  allow(isIn('src/features/'), (imported, file) => {
    if (imported === 'src/context.ts') return isTypeOnly(file, imported)
    const isOpen = isSchema(imported) || imported.endsWith('/store.ts')
    return (
      isIn('src/platform/')(imported) ||
      sliceOf(imported) === sliceOf(file) ||
      (Boolean(sliceOf(imported)) && isOpen)
    )
  })
})

test('there are no cycles between slices', () => {
  const edges = new Map<string, Set<string>>()
  for (const file of sources) {
    const from = sliceOf(file)
    if (!from) continue
    const to = importsOf(file)
      .own.map(sliceOf)
      .filter((slice) => slice && slice !== from)
    edges.set(from, new Set([...(edges.get(from) ?? []), ...(to as string[])]))
  }
  const visit = (slice: string, trail: string[]): void => {
    assert.ok(!trail.includes(slice), `cycle: ${[...trail, slice].join(' → ')}`)
    for (const next of edges.get(slice) ?? []) visit(next, [...trail, slice])
  }
  for (const slice of edges.keys()) visit(slice, [])
})

test('client/ imports schemas only, and cli/ the client, besides the settings and what signs a token', () => {
  const isShape = (file: string) => isSchema(file) || file === 'src/platform/shapes.ts'
  allow(isIn('src/client/'), (imported) => isShape(imported) || isIn('src/client/')(imported))
  const needsNoService = ['config', 'allowlist', 'session', 'session-secret'].map(
    (name) => `src/platform/${name}.ts`,
  )
  allow(isIn('src/cli/'), isIn('src/client/', 'src/cli/', ...needsNoService))
})

test('worker/ sees the client, and of platform/ nothing of the database', () => {
  const hidden = isIn('src/platform/database.ts', 'src/platform/tables.ts', 'src/platform/migrat')
  allow(
    isIn('src/worker/'),
    (imported) => isIn('src/client/', 'src/worker/', 'src/platform/')(imported) && !hidden(imported),
  )
})

test('the web app imports only the client, and a screen only the addresses and shared dialogs of others', () => {
  allow(isIn('web/src/'), isIn('web/src/', 'src/client/'))
  const screenOf = (file: string) => /^web\/src\/screens\/([^/]+)\//.exec(file)?.[1]
  const dialogs = ['bulk-actions/start-bulk-action.tsx', 'pipeline/new-deal-dialog.tsx']
  const isShared = (file: string) =>
    dialogs.includes(file.slice('web/src/screens/'.length)) || /-search\.ts$/.test(file)
  allow(
    (file) => screenOf(file) !== undefined,
    (imported, file) => !screenOf(imported) || screenOf(imported) === screenOf(file) || isShared(imported),
  )
})

/** The rooms and root files of the web app, lowest first. Each imports only itself and what comes before it. */
const WEB_ROOMS = [
  'words',
  'strings',
  'service',
  'browser',
  'ui',
  'fields',
  'editing',
  'activity',
  'bulk-actions',
  'screens',
  'shell',
  'theme.ts',
  'router.tsx',
  'main.tsx',
]
const webSources = sources.filter(isIn('web/src/'))
const webRank = (file: string) => WEB_ROOMS.indexOf(file.split('/')[2] ?? '')

test('every file of the web app is in a known room', () => {
  assert.deepEqual(
    webSources.filter((file) => webRank(file) < 0),
    [],
  )
})

test('no room of the web app imports a room above it', () => {
  allow(
    isIn('web/src/'),
    (imported, file) => !isIn('web/src/')(imported) || webRank(imported) <= webRank(file),
  )
})

test('there are no import cycles in the web app', () => {
  assert.deepEqual(cyclesIn(webSources), [])
})

/** The import cycles among the files, type-only and dynamic imports included, as `a → b → a`. */
function cyclesIn(files: readonly string[]): string[] {
  const known = new Set(files)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '))
    if (done.has(file) || trail.includes(file)) return
    for (const imported of importsOf(file).own) if (known.has(imported)) visit(imported, [...trail, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return cycles
}

test('nothing but tests and benchmarks imports app.ts, main.ts and testing.ts', () => {
  const wiring = ['src/app.ts', 'src/main.ts', 'src/testing.ts']
  allow(
    (file) => isIn('src/')(file) && !wiring.includes(file),
    (imported) => !wiring.includes(imported),
  )
})

test('what is for development and tests is imported by nothing else', () => {
  allow(isIn('src/', 'bench/'), (imported) => !isIn('dev/')(imported))
})

test('files and folders have names that say what they hold', () => {
  const vague = files.filter((file) => /(?:util|helper|manager|misc|common)s?\b/i.test(file))
  assert.deepEqual(vague, [])
})
