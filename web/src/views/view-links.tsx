import { IconTable, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { strings } from '#strings/views.ts'
import { type ViewEntity, viewQueries } from './view-queries.ts'
import { VIEW_SCREENS } from './view-screens.ts'
import classes from './views.module.css'

/** Links to the views of these records, for the main navigation. Nothing while there are none. */
export function ViewLinks({ entity }: { entity: ViewEntity }) {
  const { data: views } = useQuery(viewQueries.views(entity))
  if (!views || views.length === 0) return null
  return (
    <section aria-label={strings.viewsOf[entity]}>
      {views.map(({ id, name, visibility }) => {
        const Icon = visibility === 'shared' ? IconUsers : IconTable
        return (
          <Link
            key={id}
            to={VIEW_SCREENS[entity]}
            search={{ view: id }}
            className={classes.sidebarLink}
            title={name}
            activeOptions={{ includeSearch: true, exact: false }}
            activeProps={{ 'data-active': true, 'aria-current': 'page' }}
          >
            <Icon size={16} aria-hidden />
            <bdi className={classes.name}>{name}</bdi>
          </Link>
        )
      })}
    </section>
  )
}
