import { IconTable, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/views.ts'
import { ScreenNavLink } from '#web/ui/link.tsx'
import { type ViewEntity, viewQueries } from './view-queries.ts'
import { VIEW_SCREENS } from './view-screens.ts'

/** Links to the views of these records, for the main navigation. Nothing while there are none. */
export function ViewLinks({ entity }: { entity: ViewEntity }) {
  const { data: views } = useQuery(viewQueries.views(entity))
  if (!views || views.length === 0) return null
  return (
    <section aria-label={strings.viewsOf[entity]}>
      {views.map(({ id, name, visibility }) => {
        const Icon = visibility === 'shared' ? IconUsers : IconTable
        return (
          <ScreenNavLink
            key={id}
            to={VIEW_SCREENS[entity]}
            search={{ view: id }}
            label={<bdi>{name}</bdi>}
            title={name}
            noWrap
            leftSection={<Icon size={16} aria-hidden />}
            activeOptions={{ includeSearch: true, exact: false }}
            activeProps={{ active: true, 'aria-current': 'page' }}
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
          />
        )
      })}
    </section>
  )
}
