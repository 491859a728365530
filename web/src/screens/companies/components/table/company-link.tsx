import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { COMPANIES } from '../../list-position.ts'
import classes from './company.module.css'

interface CompanyLinkProps {
  id: string
  /** Before the name. */
  logo?: ReactNode
  children: ReactNode
}

/**
 * A plain link. A hundred router links would each render on every change of the address, that is, while typing into
 * the search box.
 */
export function CompanyLink({ id, logo, children }: CompanyLinkProps) {
  const router = useRouter()
  const target = { to: '/companies/$id', params: { id }, state: { list: COMPANIES } } as const
  const preload = () => {
    queryClient.prefetchQuery(queries.company(id))
    router.preloadRoute(target).catch(() => {})
  }
  const open = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain) return
    event.preventDefault()
    router.navigate(target)
  }
  return (
    <a
      href={`/companies/${encodeURIComponent(id)}`}
      className={classes.name}
      dir="auto"
      data-company={id}
      onClick={open}
      // On press, not on hover: hovering over fifty rows must not send fifty requests.
      onPointerDown={preload}
    >
      {logo && <span className={classes.logo}>{logo}</span>}
      {children}
    </a>
  )
}
