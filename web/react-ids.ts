import type { Plugin } from 'vite'

const MANTINE_IDS = /[\\/]use-id[\\/]use-id\.mjs$/

/**
 * A Vite plugin that has Mantine's components take their ids from React. Mantine's own `useId` sets another id once a
 * component is on the page, so each renders twice, the second time without letting input through.
 * @throws when Mantine has no such module
 */
export const reactIds = (): Plugin => {
  let isReplaced = false
  return {
    name: 'react-ids',
    // The development server bundles Mantine beforehand, where plugins do not see its modules.
    apply: 'build',
    load(id) {
      if (!MANTINE_IDS.test(id)) return null
      isReplaced = true
      return MODULE
    },
    buildEnd(error) {
      if (!error && !isReplaced) throw new Error('Mantine has no module of ids to replace.')
    },
  }
}

const MODULE = `import { useId as useReactId } from 'react'
export const useId = (id) => {
  const reactId = useReactId()
  return typeof id === 'string' ? id : reactId
}
`
