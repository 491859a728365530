import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')
const files = globSync('{src,bench,dev,web}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['web/dist/**', 'web/.*/**'],
})
const isTest = (file: string) => /\.(?:test|fixture)\.ts$/.test(file) || file.startsWith('src/contract/')
const sources = files.filter((file) => !isTest(file))

/** The project files that a file imports, relative to the root, and the packages by name. */
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

/** Resolves the `imports` in package.json. */
const ofRoot = (specifier: string) =>
  specifier
    .slice(1)
    .replace(/^web\//, 'web/src/')
    .replace(/^strings\//, 'web/src/strings/en/')

const isIn =
  (...folders: string[]) =>
  (file: string) =>
    folders.some((folder) => file.startsWith(folder))
const isTypeOnly = (file: string, imported: string) =>
  new RegExp(`import type [^'"]*['"][^'"]*${path.basename(imported)}['"]`).test(
    readFileSync(path.join(root, file), 'utf8'),
  )

/** Fails with one line for each import that the rule forbids. */
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

const PLATFORM = 'src/platform/'
/** The table of permissions. Endpoints are declared with it, so it imports nothing. */
const PERMISSIONS = 'src/platform/http/security/permissions.ts'

/** The rooms of platform/, lowest first: each imports from itself and from those before it. */
const ROOMS = [
  'csv',
  'network',
  'schema',
  'config',
  'process',
  'database',
  'encryption',
  'filter',
  'queue.ts',
  'model-endpoint',
  'embeddings',
  'language-model',
  'objects',
  'identity',
  'trackers',
  'mail',
  'virus-scan',
  'http',
]
/** These files belong to no room and lie below all of them. */
const BELOW_ROOMS = [
  'accents.ts',
  'errors.ts',
  'event-loop.ts',
  'ids.ts',
  'lexical.ts',
  'markdown.ts',
  'single-flight.ts',
  'text-hash.ts',
  'truncate.ts',
  PERMISSIONS.slice(PLATFORM.length),
]

const roomOf = (file: string) =>
  file === PERMISSIONS
    ? file.slice(PLATFORM.length)
    : (file.slice(PLATFORM.length).split('/', 1)[0] as string)

test('platform/ consists of these rooms, and each imports only from those below it', () => {
  const known = [...BELOW_ROOMS, ...ROOMS]
  const strays = sources.filter((file) => isIn(PLATFORM)(file) && !known.includes(roomOf(file)))
  assert.deepEqual(strays, [])
  const level = (file: string) => ROOMS.indexOf(roomOf(file))
  allow(isIn(PLATFORM), (imported, file) => isIn(PLATFORM)(imported) && level(imported) <= level(file))
})

test('platform/ knows nothing of the domain', () => {
  const domain = /compan|deal[^-]|thes[ei]s|executive|financial/i
  const knowing = sources.filter(isIn(PLATFORM)).flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .filter((line) => domain.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(knowing, [])
})

test('there are no import cycles, not even of types', () => {
  assert.deepEqual(cyclesIn(sources), [])
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

const isSchema = (file: string) => /^src\/features\/(?:[a-z-]+\/)+(?:[a-z-]+-)?schema\.ts$/.test(file)

/** What endpoints are declared with; it needs neither the service nor a database. */
const isDeclaration = isIn(
  'src/platform/schema/shapes.ts',
  'src/platform/schema/email-address.ts',
  'src/platform/schema/label-key.ts',
  'src/platform/schema/numerals.ts',
  'src/platform/http/security/permissions.ts',
  'src/platform/schema/search-terms.ts',
  'src/platform/truncate.ts',
  'src/platform/filter/schema.ts',
)

test('schema.ts and its like import TypeBox, shapes, permissions, filters and each other only', () => {
  allow(isSchema, (imported) => isSchema(imported) || isDeclaration(imported))
  const packages = sources.filter(isSchema).flatMap((file) => importsOf(file).packages)
  assert.deepEqual([...new Set(packages)], ['typebox'])
})

/** The slices, lowest first. Each imports itself and those before it. */
const SLICES = [
  'audit',
  'sessions',
  'users',
  'keys',
  'auth',
  'visibility',
  'activity',
  'events',
  'fields',
  'trash',
  'links',
  'contacts',
  'next-steps',
  'logos',
  'theses',
  'deals',
  'companies',
  'assets',
  'people',
  'tags',
  'notes',
  'tasks',
  'files',
  'decisions',
  'relationships',
  'timeline',
  'briefs',
  'views',
  'search',
  'matches',
  'quick-search',
  'duplicates',
  'bulk-actions',
  'undo',
  'merge',
  'imports',
  'follows',
  'notifications',
  'mail',
  'calendar',
  'feedback',
  'privacy',
  'stats',
  'backups',
]
const FEATURES = 'src/features/'
const sliceOf = (file: string) => (file.startsWith(FEATURES) ? file.split('/')[2] : undefined)
const isFrontDoor = (file: string) => /^src\/features\/[a-z-]+\/index\.ts$/.test(file)

test('features/ consists of these slices, and each imports only from those before it', () => {
  const strays = sources.filter((file) => isIn(FEATURES)(file) && !SLICES.includes(sliceOf(file) ?? ''))
  assert.deepEqual(strays, [])
  const level = (file: string) => SLICES.indexOf(sliceOf(file) ?? '')
  allow(isIn(FEATURES), (imported, file) => !isIn(FEATURES)(imported) || level(imported) <= level(file))
})

test('slices see each other through index.ts, schemas through schemas, and the context as a type', () => {
  allow(isIn(FEATURES), (imported, file) => {
    if (imported === 'src/context.ts') return isTypeOnly(file, imported)
    if (isIn(PLATFORM)(imported) || sliceOf(imported) === sliceOf(file)) return true
    return isSchema(file) ? isSchema(imported) : isFrontDoor(imported)
  })
})

test('outside of features/, files see index.ts of a slice, and app.ts its routes', () => {
  const isOutside = (file: string) =>
    isIn('src/')(file) && !isIn(FEATURES, 'src/testing/', 'src/client/')(file)
  allow(
    isOutside,
    (imported, file) =>
      !isIn(FEATURES)(imported) ||
      isFrontDoor(imported) ||
      (file === 'src/app.ts' && imported.endsWith('/routes.ts')),
  )
})

test('store.ts and index.ts see no Fastify and no routes, and no slice imports its own index.ts', () => {
  for (const file of sources.filter((name) => isIn(FEATURES)(name) && /\/(?:store|index)\.ts$/.test(name))) {
    const { own, packages } = importsOf(file)
    assert.ok(!packages.some((name) => /fastify/.test(name)), `${file} imports Fastify`)
    assert.ok(!own.some((imported) => imported.endsWith('routes.ts')), `${file} imports routes`)
  }
  allow(isIn(FEATURES), (imported, file) => !isFrontDoor(imported) || sliceOf(imported) !== sliceOf(file))
})

test('only front doors, schemas, and the client pass on what others export', () => {
  const barrels = sources
    .filter(isIn('src/'))
    .filter((file) => !isFrontDoor(file) && !isSchema(file) && !isIn('src/client/')(file))
    .filter((file) => /^export [^;=(]*? from '/m.test(readFileSync(path.join(root, file), 'utf8')))
  assert.deepEqual(barrels, [])
})

test('client/ only imports schemas and the parser of Retry-After, and cli/ the client, settings, token signing and administration', () => {
  const isShape = (file: string) => isSchema(file) || isDeclaration(file)
  const clientFiles = isIn('src/client/', 'src/platform/network/retry-after.ts')
  allow(isIn('src/client/'), (imported) => isShape(imported) || clientFiles(imported))
  const needsNoService = [
    'config/config',
    'config/settings',
    'identity/allowlist',
    'identity/worker-token',
    'identity/session',
    'identity/session-secret',
  ].map((name) => `src/platform/${name}.ts`)
  /** For commands that open the database, without a service. */
  const administration = [
    'src/counters.ts',
    'src/sealed-columns.ts',
    'src/migrations/migrations.ts',
    'src/migrations/descriptions.ts',
    'src/platform/database/',
    'src/platform/encryption/',
    'src/platform/errors.ts',
    'src/platform/schema/email-address.ts',
    'src/platform/schema/shapes.ts',
    'src/features/audit/index.ts',
    'src/features/backups/index.ts',
    'src/platform/objects/',
    'src/platform/process/',
    'src/platform/queue.ts',
    'src/features/duplicates/index.ts',
    'src/features/fields/index.ts',
    'src/features/privacy/index.ts',
  ]
  allow(isIn('src/cli/'), isIn('src/client/', 'src/cli/', ...needsNoService, ...administration))
})

test('worker/ sees the client, and of platform/ nothing of the database', () => {
  const hidden = isIn('src/platform/database/', 'src/migrations/')
  allow(
    isIn('src/worker/'),
    (imported) => isIn('src/client/', 'src/worker/', 'src/platform/')(imported) && !hidden(imported),
  )
})

test('the web app imports only the client, and a screen only the addresses of others and what they share', () => {
  allow(isIn('web/src/'), isIn('web/src/', 'src/client/'))
  const screenOf = (file: string) => /^web\/src\/screens\/([^/]+)\//.exec(file)?.[1]
  const shared = [
    'companies/components/triage/triage.tsx',
    'companies/neighbors.ts',
    'pipeline/components/deal/new-deal-dialog.tsx',
    'thesis/components/thesis-card.tsx',
    'thesis/components/thesis-fields.tsx',
    'thesis/duplicate-code.ts',
    'thesis/thesis-draft.ts',
  ]
  const isShared = (file: string) =>
    shared.includes(file.slice('web/src/screens/'.length)) || /-search\.ts$/.test(file)
  allow(
    (file) => screenOf(file) !== undefined,
    (imported, file) => !screenOf(imported) || screenOf(imported) === screenOf(file) || isShared(imported),
  )
})

/** The rooms and root files of the web app, lowest first. Each imports only itself and what comes before it. */
const WEB_ROOMS = [
  'format',
  'strings',
  'api',
  'browser',
  'keyboard',
  'ui',
  'editing',
  'fields',
  'filters',
  'activity',
  'notes',
  'tasks',
  'files',
  'decisions',
  'relationships',
  'timeline',
  'bulk-actions',
  'views',
  'columns',
  'lists',
  'merge',
  'people',
  'deals',
  'follows',
  'screens',
  'shell',
  'theme.ts',
  'router.tsx',
  'main.tsx',
]
const webSources = sources.filter(isIn('web/src/'))
const webRank = (file: string) => WEB_ROOMS.indexOf(file.split('/')[2] ?? '')

test('only web/src/ui makes selects with an input, because those of Mantine drop what was typed in silence', () => {
  const screens = webSources.filter((file) => !isIn('web/src/ui/')(file))
  const raw = /\b(?:Autocomplete|MultiSelect|TagsInput)\b[^']*'@mantine\/core'|^\s+searchable$/m
  assert.notEqual(screens.length, 0)
  assert.deepEqual(
    screens.filter((file) => raw.test(readFileSync(path.join(root, file), 'utf8'))),
    [],
  )
})

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

test('nothing but tests and benchmarks imports app.ts, main.ts and testing/', () => {
  const isWiring = isIn(
    'src/app.ts',
    'src/kinds.ts',
    'src/background.ts',
    'src/main.ts',
    'src/testing',
    'src/contract',
  )
  allow(
    (file) => isIn('src/')(file) && !isWiring(file),
    (imported) => !isWiring(imported),
  )
})

test('dev/ is only imported by tests and itself', () => {
  allow(isIn('src/', 'bench/'), (imported) => !isIn('dev/')(imported))
})

test('file and folder names are specific', () => {
  const vague = files.filter((file) => /(?:util|helper|manager|misc|common)s?\b/i.test(file))
  assert.deepEqual(vague, [])
})
