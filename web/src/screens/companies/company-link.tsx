import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { queries } from '#web/service/queries.ts'
import classes from './company.module.css'

interface CompanyLinkProps {
  id: string
  children: ReactNode
}

/**
 * A link to a company. A hundred of the router's own would each look at every change of the address, which is what
 * typing into the search box makes.
 */
export function CompanyLink({ id, children }: CompanyLinkProps) {
  const router = useRouter()
  const queryClient = useQueryClient()
  const target = { to: '/companies/$id', params: { id } } as const
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
      onPointerEnter={() => router.preloadRoute(target).catch(() => {})}
      // Hovering over fifty rows must not be fifty requests; a click that has begun is one.
      onPointerDown={() => queryClient.prefetchQuery(queries.company(id))}
    >
      {children}
    </a>
  )
}
