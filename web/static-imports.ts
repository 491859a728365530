import path from 'node:path'
import type { Rolldown } from 'vite'

/** Libraries whose main module only exports modules for one part each. */
const LIBRARIES = /@mantine\/(?:core|hooks|notifications)\/esm\/index\.mjs$|\/tabler-icons-react\.mjs$/
const NAMED = /(?:import|export)\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g

/** Whether a module is one of those that it looks for. */
export type ModuleTest = (id: string, graph: Rolldown.ChunkingContext) => boolean

/**
 * Whether a module is one that screens need before they are shown: one that they import statically.
 * @param screens the paths of their modules within `src`
 * @throws when one of them does not exist
 */
export function neededBy(screens: readonly string[]): ModuleTest {
  let needed: ReadonlySet<string> | undefined
  return (id, graph) => {
    needed ??= closureOf(
      screens.map((screen) => moduleOf(screen, graph)),
      graph,
    )
    return needed.has(id)
  }
}

/** The id of the module of a screen. */
function moduleOf(screen: string, graph: Rolldown.ChunkingContext): string {
  const id = path.join(import.meta.dirname, 'src', screen)
  if (!graph.getModuleInfo(id)) throw new Error(`The app does not import "${screen}".`)
  return id
}

function closureOf(roots: readonly string[], graph: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set<string>()
  const parts = new Map<string, ReadonlyMap<string, string>>()
  const partsOf = (library: string) => {
    const known = parts.get(library) ?? exportsOf(library, graph)
    parts.set(library, known)
    return known
  }
  const visit = (id: string): void => {
    const module = found.has(id) ? null : graph.getModuleInfo(id)
    if (!module) return
    found.add(id)
    for (const imported of module.importedIds)
      if (!LIBRARIES.test(imported)) visit(imported)
      else
        for (const { name } of namesIn(module.code)) {
          const part = partsOf(imported).get(name)
          if (part) visit(part)
        }
  }
  roots.forEach(visit)
  return found
}

/** The modules that a library exports, by the names of their exports. */
const exportsOf = (library: string, graph: Rolldown.ChunkingContext): ReadonlyMap<string, string> =>
  new Map(
    namesIn(graph.getModuleInfo(library)?.code ?? null).map(({ as, from }) => [
      as,
      path.resolve(path.dirname(library), from),
    ]),
  )

/** The names that a module imports, or exports from another one. */
const namesIn = (code: string | null): { name: string; as: string; from: string }[] =>
  [...(code ?? '').matchAll(NAMED)].flatMap(([, names = '', from = '']) =>
    names.split(',').map((pair) => {
      const [name = '', as = name] = pair.trim().split(' as ')
      return { name, as, from }
    }),
  )
