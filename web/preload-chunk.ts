import type { HtmlTagDescriptor, Plugin } from 'vite'

/** A Vite plugin that has the page load a chunk and its styles beside the entry, which only asks for them later. */
export const preloadChunk = (name: string): Plugin => ({
  name: 'preload-chunk',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name)
      if (chunk?.type !== 'chunk') return []
      const link = (attributes: HtmlTagDescriptor['attrs']): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: { ...attributes, crossorigin: true },
        injectTo: 'head',
      })
      return [
        link({ rel: 'modulepreload', href: `/static/${chunk.fileName}` }),
        ...[...(chunk.viteMetadata?.importedCss ?? [])].map((file) =>
          link({ rel: 'preload', as: 'style', href: `/static/${file}` }),
        ),
      ]
    },
  },
})
