import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { operationsOnly } from './operations-only.ts'
import { paintFirst } from './paint-first.ts'
import { preloadChunk, preloadScreens } from './preload-chunk.ts'
import { type ModuleTest, neededBy } from './static-imports.ts'

/** The service that `npm run dev:web` connects to. */
const SERVICE = process.env.API_URL ?? 'http://localhost:3000'

/** Browsers that support `light-dark()`. Transpiling it for older ones breaks its colors. */
const CSS_TARGETS = ['chrome123', 'firefox120', 'safari17.5']

const START = ['shell/shell.tsx', 'screens/sign-in/index.tsx']
const HOME = [
  'index',
  'components/company-panels',
  'components/weekly-panels',
  'components/activity-panel',
].map((part) => `screens/home/${part}.tsx`)
const LIST = ['screens/companies/index.tsx']
const BOARD = ['screens/pipeline/index.tsx']
const COMPANY = ['screens/company/index.tsx']

/** The pages that most visits begin with, and their modules outside `start`. `/` leads signed-in users to home. */
const SCREENS = {
  '/': HOME,
  '/home': HOME,
  '/companies': LIST,
  '/companies/:id': COMPANY,
  '/pipeline': BOARD,
  '/theses': ['screens/theses/index.tsx'],
  '/theses/:id': ['screens/thesis/index.tsx'],
}

const [isStart, isHome] = [neededBy(START), neededBy(HOME)]
const [isList, isBoard, isCompany] = [neededBy(LIST), neededBy(BOARD), neededBy(COMPANY)]
const both =
  (one: ModuleTest, other: ModuleTest): ModuleTest =>
  (...module) =>
    one(...module) && other(...module)
const either =
  (one: ModuleTest, other: ModuleTest): ModuleTest =>
  (...module) =>
    one(...module) || other(...module)

const group = (name: string, isPart: ModuleTest): Rolldown.CodeSplittingGroup => ({
  name: (id, graph) => (isPart(id, graph) ? name : null),
  debugName: name,
})

/**
 * Without groups, modules that the same screens share become a chunk of their own, and a screen needs up to 100
 * requests. The screens that most visits begin with load little that only others need. The first group that matches a
 * module gets it, along with everything that the module imports.
 */
const CHUNKS = [
  { name: 'initial', tags: ['$initial' as const] },
  group('start', isStart),
  group('record', either(both(isList, isCompany), both(isHome, either(isList, isBoard)))),
  group('activity', both(isHome, isCompany)),
  group('views', both(isList, isBoard)),
  group('home', isHome),
  { ...group('list', isList), minShareCount: 2 },
  { ...group('board', isBoard), minShareCount: 2 },
  { ...group('company', isCompany), minShareCount: 2 },
  { name: 'components', test: /node_modules/, minShareCount: 3 },
  { name: 'shared', minShareCount: 3 },
]

/**
 * Parts that load while the page is idle, several at a time. Links that preload their imports would delay input.
 * Without such links, a deal that is opened by its address takes two more requests in a row.
 */
const LOADED_WHEN_IDLE =
  /\/(?:action-notices|bulk-action-watch|deal-panel|development-badge|list-sort|live-updates|selection-bar|triage)-/

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  cacheDir: path.join(import.meta.dirname, '.vite'),
  base: command === 'build' ? '/static/' : '/',
  plugins: [
    react(),
    operationsOnly(),
    preloadChunk('start'),
    preloadScreens(SCREENS),
    paintFirst(),
  ],
  build: {
    target: 'es2023',
    cssTarget: CSS_TARGETS,
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: {
      resolveDependencies: (file, needed) =>
        LOADED_WHEN_IDLE.test(file) ? needed.filter((one) => one.endsWith('.css')) : needed,
    },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: {
    proxy: {
      '^/(api|assets|docs|openapi.json)': {
        target: SERVICE,
        // The service accepts changes from its own origin only.
        configure: (proxy) => proxy.on('proxyReq', (request) => request.removeHeader('origin')),
      },
    },
  },
}))
