import type { Plugin } from 'vite'

interface EarlyRequests {
  always: readonly string[]
  /** Requests that are sent only if the address has no query. */
  bare?: readonly string[]
}

/** The first requests of the screens that most visits begin with, by path. */
const EARLY_REQUESTS: Record<string, EarlyRequests> = {
  '/home': { always: ['/api/stats', '/api/dealflow/stages'] },
  '/companies': {
    always: [
      '/api/views?entity=company&limit=1000',
      '/api/fields?entity=company&limit=1000',
      '/api/theses',
      '/api/companies/search/status',
    ],
    bare: ['/api/companies?limit=50&offset=0'],
  },
  '/companies/:id': {
    always: ['/api/companies/:id', '/api/fields?entity=company&limit=1000', '/api/theses'],
  },
  '/pipeline': {
    always: ['/api/views?entity=deal&limit=1000', '/api/dealflow/stages/config'],
    bare: ['/api/dealflow/stages?limit=50'],
  },
  '/theses': {
    always: ['/api/views?entity=thesis&limit=1000'],
    bare: ['/api/theses'],
  },
  '/theses/:id': { always: ['/api/theses/:id'] },
}

/**
 * A Vite plugin that has the page send the first requests of its screen while the code of the app loads. The app takes
 * the responses (`src/api/service.ts`).
 */
export const earlyRequests = (): Plugin => ({
  name: 'early-requests',
  transformIndexHtml: {
    order: 'post',
    handler: () => [{ tag: 'script', children: SCRIPT, injectTo: 'body' }],
  },
})

const SCRIPT = `{
  const email = localStorage.getItem('service_dev_user_email')
  const headers = email ? { 'x-user-email': email } : {}
  const screen = location.pathname.replace(/[a-z]+_[a-z0-9]+$/, ':id')
  const { always = [], bare = [] } = ${JSON.stringify(EARLY_REQUESTS)}[screen] ?? {}
  window.earlyAnswers = new Map()
  for (const request of ['/api/auth/me', ...always, ...(location.search ? [] : bare)]) {
    const url = request.replace(screen, location.pathname)
    const answer = fetch(url, { headers })
    answer.catch(() => {})
    window.earlyAnswers.set(url, answer)
  }
}`
