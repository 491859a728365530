import type { FastifyInstance } from 'fastify'

/**
 * Collects the routes that are registered from now on.
 * @returns finds the methods of a path; none if the path is unknown
 */
export function collectMethods(app: FastifyInstance): (path: string) => string[] {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    // Preflights are answered for every path.
    if (url === '*') return
    const known = methods.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    methods.set(url, known)
  })
  let routes: { pattern: RegExp; methods: Set<string> }[] | undefined
  return (path) => {
    routes ??= [...methods].map(([url, known]) => ({ pattern: patternOf(url), methods: known }))
    const matching = routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(matching.flatMap((route) => [...route.methods]))].sort()
  }
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
