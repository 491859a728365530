import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/**
 * A Vite plugin that has the page load a chunk and its styles beside the entry, which only asks for them later.
 * @throws when a build has no chunk of this name
 */
export function preloadChunk(name: string): Plugin {
  let base = '/'
  return {
    name: 'preload-chunk',
    configResolved: (config) => {
      base = config.base
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        // The development server has no chunks.
        if (!bundle) return []
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name)
        if (chunk?.type !== 'chunk') throw new Error(`There is no chunk "${name}" to preload.`)
        return linksTo(chunk, base).map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' }))
      },
    },
  }
}

/** The file in which the service finds the links of a screen's page, by the page's URL. */
const PRELOADS_FILE = 'preloads.json'

/**
 * A Vite plugin that writes, for each of these pages, the links with which a browser loads the code of its screen and the
 * code of the app at the same time. Without them, it asks for a screen once the app runs.
 * @param screens paths of modules within `src`, by the URL of the page
 * @throws when a build has no chunk of a screen
 */
export function preloadScreens(screens: Record<string, readonly string[]>): Plugin {
  let base = '/'
  return {
    name: 'preload-screens',
    apply: 'build',
    configResolved: (config) => {
      base = config.base
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const entry = chunks.find(({ isEntry }) => isEntry)
      const start = chunks.find(({ name }) => name === 'start')
      const chunkOf = (module: string) => {
        const id = path.join(import.meta.dirname, 'src', module)
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(id))
        if (!chunk) throw new Error(`There is no chunk of "${module}" to preload.`)
        return chunk
      }
      const links = Object.entries(screens).map(([url, modules]) => {
        const closure = closureOf(modules.map(chunkOf), bundle)
        const needed = [...closure].filter((one) => one !== entry && one !== start)
        return [url, needed.flatMap((one) => linksTo(one, base).map(htmlOf)).join('')]
      })
      this.emitFile({
        type: 'asset',
        fileName: PRELOADS_FILE,
        source: JSON.stringify(Object.fromEntries(links)),
      })
    },
  }
}

/** These chunks and those that they import statically. */
function closureOf(
  roots: readonly Rolldown.OutputChunk[],
  bundle: Rolldown.OutputBundle,
): Set<Rolldown.OutputChunk> {
  const found = new Set(roots)
  for (const { imports } of found)
    for (const name of imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') found.add(imported)
    }
  return found
}

/**
 * The attributes of the links to a chunk and its styles. Their low priority lets the mark, the font, and the first data
 * come first.
 */
const linksTo = ({ fileName, viteMetadata }: Rolldown.OutputChunk, base: string) => [
  { rel: 'modulepreload', fetchpriority: 'low', href: base + fileName, crossorigin: true },
  ...[...(viteMetadata?.importedCss ?? [])].map((file) => ({
    rel: 'preload',
    as: 'style',
    href: base + file,
    crossorigin: true,
  })),
]

const htmlOf = (link: Record<string, string | boolean>): string =>
  `<link ${Object.entries(link)
    .map(([name, value]) => (value === true ? name : `${name}="${value}"`))
    .join(' ')}>`
