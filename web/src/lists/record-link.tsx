import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import type { COMPANIES, PEOPLE } from './list-position.ts'
import classes from './record.module.css'

interface RecordLinkProps {
  /** The list, which is also the address of its records without their ids. */
  list: typeof COMPANIES | typeof PEOPLE
  id: string
  /** Loads the record. */
  preload: (id: string) => void
  /** Before the name. */
  mark?: ReactNode
  children: ReactNode
}

/**
 * A plain link. A hundred router links would each render on every change of the address, that is, while typing into
 * the search box.
 */
export function RecordLink({ list, id, preload, mark, children }: RecordLinkProps) {
  const router = useRouter()
  const target = { to: `${list}/$id`, params: { id }, state: { list } } as const
  const open = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain) return
    event.preventDefault()
    router.navigate(target)
  }
  return (
    <a
      href={`${list}/${encodeURIComponent(id)}`}
      className={classes.name}
      dir="auto"
      data-record={id}
      onClick={open}
      // On press, not on hover: hovering over fifty rows must not send fifty requests.
      onPointerDown={() => {
        preload(id)
        router.preloadRoute(target).catch(() => {})
      }}
    >
      {mark && <span className={classes.logo}>{mark}</span>}
      {children}
    </a>
  )
}
