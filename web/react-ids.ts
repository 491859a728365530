import type { Plugin } from 'vite'

const MANTINE_IDS = /[\\/]use-id[\\/]use-id\.mjs$/

/**
 * A Vite plugin that has Mantine's components take their ids from React. Mantine's own `useId` renders each component that has
 * one twice, and holds up the whole screen for it.
 * @throws when Mantine has no such module
 */
export const reactIds = (): Plugin => {
  let isReplaced = false
  return {
    name: 'react-ids',
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
