import type { HtmlTagDescriptor, Plugin } from 'vite'

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
