import path from 'node:path'
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'

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
        return [
          link({ rel: 'modulepreload', href: base + chunk.fileName }),
          ...[...(chunk.viteMetadata?.importedCss ?? [])].map((file) =>
            link({ rel: 'preload', as: 'style', href: base + file }),
          ),
        ]
      },
    },
  }
}

const link = (attributes: HtmlTagDescriptor['attrs']): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { ...attributes, crossorigin: true },
  injectTo: 'head',
})

/** The file in which the service finds the links of a screen's page, by the page's URL. */
const PRELOADS_FILE = 'preloads.json'

/**
 * A Vite plugin that writes, for each of these pages, the links with which a browser loads the code of its screen and the
 * code of the app at the same time. Without them, it asks for a screen once the app runs.
 * @param screens paths of modules within `src`, by the URL of the page
 * @throws when a build has no chunk of a screen
 */
export function preloadScreens(screens: Record<string, string>): Plugin {
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
      const links = Object.entries(screens).map(([url, screen]) => {
        const id = path.join(import.meta.dirname, 'src', screen)
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(id))
        if (!chunk) throw new Error(`There is no chunk of "${screen}" to preload.`)
        const needed = [...closureOf(chunk, bundle)].filter((one) => one !== entry && one !== start)
        return [url, needed.map((one) => linksTo(one, base)).join('')]
      })
      this.emitFile({
        type: 'asset',
        fileName: PRELOADS_FILE,
        source: JSON.stringify(Object.fromEntries(links)),
      })
    },
  }
}

/** A chunk and those that it imports statically. */
function closureOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Set<Rolldown.OutputChunk> {
  const found = new Set([chunk])
  for (const { imports } of found)
    for (const name of imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') found.add(imported)
    }
  return found
}

const linksTo = ({ fileName, viteMetadata }: Rolldown.OutputChunk, base: string): string =>
  [
    `<link rel="modulepreload" href="${base}${fileName}" crossorigin>`,
    ...[...(viteMetadata?.importedCss ?? [])].map(
      (file) => `<link rel="preload" as="style" href="${base}${file}" crossorigin>`,
    ),
  ].join('')
