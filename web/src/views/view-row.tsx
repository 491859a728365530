import type { ListView } from './hooks/use-view-address.ts'
import { ViewBar } from './view-bar.tsx'
import { ViewNotice } from './view-notice.tsx'
import classes from './views.module.css'

/** The views in a line of their own, and notices about the open one. */
export function ViewRow({ view }: { view: Omit<ListView<unknown>, 'search'> }) {
  return (
    <>
      <div className={classes.row}>
        <ViewBar {...view} />
      </div>
      <ViewNotice open={view.open} showAll={view.showAll} />
    </>
  )
}
