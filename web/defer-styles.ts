import type { Plugin } from 'vite'

/**
 * A Vite plugin that loads the styles beside the page instead of before it, so that the mark is painted first. The app
 * applies them (`browser/styles.ts`).
 * @throws when the page of a build has no link to styles
 */
export const deferStyles = (): Plugin => ({
  name: 'defer-styles',
  transformIndexHtml: {
    order: 'post',
    handler: (page, { bundle }) => {
      // The development server has no file of styles.
      if (!bundle) return page
      const deferred = page.replace(
        /<link rel="stylesheet"([^>]*)>/,
        '<link rel="preload" as="style"$1><link rel="stylesheet" media="not all"$1>',
      )
      if (deferred === page) throw new Error('The page has no link to its styles.')
      return deferred
    },
  },
})
