import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { deferStyles } from './defer-styles.ts'
import { earlyRequests } from './early-requests.ts'
import { operationsOnly } from './operations-only.ts'
import { preloadChunk, preloadScreens } from './preload-chunk.ts'
import { reactIds } from './react-ids.ts'
import { neededBy } from './static-imports.ts'

/** The service that `npm run dev:web` connects to. */
const SERVICE = process.env.API_URL ?? 'http://localhost:3000'

/** Browsers that support `light-dark()`. Transpiling it for older ones breaks its colors. */
const CSS_TARGETS = ['chrome123', 'firefox120', 'safari17.5']

const START = ['shell/shell.tsx', 'screens/sign-in/sign-in-screen.tsx', 'screens/home/home-screen.tsx']
const LIST = ['screens/companies/companies-screen.tsx']
const BOARD = ['screens/pipeline/pipeline-screen.tsx']
const COMPANY = ['screens/company/company-screen.tsx']
const HOME_PANELS = ['company-panels', 'weekly-panels', 'activity-panel'].map(
  (panel) => `screens/home/${panel}.tsx`,
)

/** The pages that most visits begin with, and modules that they need besides the start. */
const SCREENS = {
  '/home': 'screens/home/weekly-panels.tsx',
  '/companies': 'screens/companies/companies-screen.tsx',
  '/companies/:id': 'screens/company/company-screen.tsx',
  '/pipeline': 'screens/pipeline/pipeline-screen.tsx',
  '/theses': 'screens/theses/theses-screen.tsx',
  '/theses/:id': 'screens/theses/thesis-screen.tsx',
}

/**
 * Without groups, modules that the same screens share become a chunk of their own, and a screen needs up to 100
 * requests. The screens that most visits begin with do not wait for what only others need.
 */
const CHUNKS = [
  { name: 'initial', tags: ['$initial' as const], priority: 6 },
  { name: neededBy('start', START), debugName: 'start', priority: 5 },
  { name: neededBy('list', LIST), debugName: 'list', minShareCount: 2, priority: 4 },
  { name: neededBy('board', BOARD), debugName: 'board', minShareCount: 2, priority: 3 },
  { name: neededBy('home', HOME_PANELS), debugName: 'home', priority: 3 },
  { name: neededBy('company', COMPANY), debugName: 'company', minShareCount: 2, priority: 2 },
  { name: 'components', test: /node_modules/, minShareCount: 3, priority: 1 },
  { name: 'shared', minShareCount: 3 },
]

/**
 * Parts that load while the page is idle, several at a time. Links that preload their imports would hold input up; without
 * them, a deal that is opened by its address waits for two more requests in a row.
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
    reactIds(),
    preloadChunk('start'),
    preloadScreens(SCREENS),
    deferStyles(),
    earlyRequests(),
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
