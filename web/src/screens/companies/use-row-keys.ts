import { type KeyboardEvent, useCallback } from 'react'

interface RowKeys {
  page: number
  pages: number
  goTo: (page: number) => void
}

/**
 * Moves the focus between companies with `j` and `k`. The position in the list is the focus itself, so Enter, screen
 * readers, and the focus ring work without further code.
 */
export function useRowKeys({ page, pages, goTo }: RowKeys) {
  return useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const list = event.currentTarget
      const target = event.target as HTMLElement
      const isBox = target instanceof HTMLInputElement
      if (target.closest('thead')) return
      const links = [...list.querySelectorAll<HTMLElement>('a[data-company]')]
      const at = links.findIndex((link) => link.closest('tr, li')?.contains(target))
      const actions: Record<string, () => void> = {
        j: () => focusOn(links, at + 1),
        ArrowDown: () => focusOn(links, at + 1),
        k: () => focusOn(links, Math.max(0, at - 1)),
        ArrowUp: () => focusOn(links, Math.max(0, at - 1)),
        Home: () => focusOn(links, 0),
        End: () => focusOn(links, links.length - 1),
        n: () => page < pages && goTo(page + 1),
        p: () => page > 1 && goTo(page - 1),
        ...(at >= 0 && { x: () => press(links[at]), ...(!isBox && { ' ': () => press(links[at]) }) }),
      }
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
      if (!action) return
      event.preventDefault()
      action()
    },
    [page, pages, goTo],
  )
}

const focusOn = (links: HTMLElement[], index: number): void => {
  const link = links[index]
  link?.focus({ preventScroll: true })
  link?.closest('tr, li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

const press = (link: HTMLElement | undefined): void =>
  link?.closest('tr, li')?.querySelector<HTMLElement>('input[data-select]')?.click()
