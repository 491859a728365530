import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { queries } from '#web/api/queries.ts'
import { WhenIdle } from '#web/browser/when-idle.tsx'
import { workspaceName } from '#web/format/workspace-name.ts'
import { lazyPart, Nothing } from '#web/ui/lazy/lazy-part.tsx'
import classes from './sidebar.module.css'

const DevelopmentBadge = lazyPart(() => import('./development-badge.tsx'), { Missing: Nothing })

/** The mark and the name of the workspace, and whether the service runs in development. */
export function Mark() {
  return (
    <span className={classes.mark}>
      <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width={22} height={22} />
      <span className={classes.workspace} title={workspaceName} dir="auto">
        {workspaceName}
      </span>
      <WhenIdle>
        <Mode />
      </WhenIdle>
    </span>
  )
}

function Mode() {
  const status = useQuery(queries.authenticationStatus())
  return (
    status.data?.mode === 'development' && (
      <Suspense>
        <DevelopmentBadge />
      </Suspense>
    )
  )
}
