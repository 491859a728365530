import type { Plugin } from 'vite'

/**
 * A Vite plugin that lets the browser paint the mark first. The styles load beside the page until the app applies them
 * (`browser/styles.ts`), and the app's script has low priority, behind the font and the first data, as do the links of
 * `preload-chunk.ts`.
 * @throws when the page of a build has no link to styles or no script of the app
 */
export const paintFirst = (): Plugin => ({
  name: 'paint-first',
  transformIndexHtml: {
    order: 'post',
    handler: (page, { bundle }) => {
      // The development server has no file of styles.
      if (!bundle) return page
      const deferred = replaceIn(
        page,
        /<link rel="stylesheet"([^>]*)>/,
        '<link rel="preload" as="style"$1><link rel="stylesheet" media="not all"$1>',
      )
      return replaceIn(deferred, /<script type="module"/, '$& fetchpriority="low"')
    },
  },
})

function replaceIn(page: string, part: RegExp, replacement: string): string {
  if (!part.test(page)) throw new Error(`The page does not contain ${part}.`)
  return page.replace(part, replacement)
}
