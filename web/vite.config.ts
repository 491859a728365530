import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { operationsOnly } from './operations-only.ts'

/** The service that `npm run dev:web` connects to. */
const SERVICE = process.env.API_URL ?? 'http://localhost:3000'

/** Browsers that support `light-dark()`. Transpiling it for older ones breaks its colors. */
const CSS_TARGETS = ['chrome123', 'firefox120', 'safari17.5']

/** Without groups, each set of shared modules becomes a chunk of its own, and the list of companies takes 130 requests. */
const CHUNKS = [
  { name: 'initial', tags: ['$initial' as const] },
  // With all that it imports, which no other part of the app needs.
  { name: 'markdown', test: /web\/src\/ui\/markdown\// },
  { name: 'libraries', test: /node_modules/, minShareCount: 3 },
  { name: 'shared', minShareCount: 3 },
]

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  cacheDir: path.join(import.meta.dirname, '.vite'),
  base: command === 'build' ? '/static/' : '/',
  plugins: [react(), operationsOnly()],
  build: {
    target: 'es2023',
    cssTarget: CSS_TARGETS,
    outDir: 'dist',
    emptyOutDir: true,
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
