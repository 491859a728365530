import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, type DragEvent, type ReactNode, useState } from 'react'
import { strings } from '#strings/views.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import { HiddenViews } from './hidden-views.tsx'
import { useOverflow } from './hooks/use-overflow.ts'
import { type View, type ViewEntity, viewQueries } from './view-queries.ts'
import { ALL, VIEW_SCREENS } from './view-screens.ts'
import classes from './views.module.css'

const HiddenViewsButton = overlayButton('menu', HiddenViews)

interface ViewTabsProps {
  entity: ViewEntity
  views: readonly View[]
  /** The open view; undefined: all records. */
  current: View | undefined
  isChanged: boolean
  /** The menu of the open view. */
  menu: ReactNode
  reorder: (ids: string[]) => void
}

/** At most this many views show a count of new records, because each count is a request. */
const MAX_COUNTED_VIEWS = 8

/** The views as tabs, all records first. Tabs that do not fit are in a menu. Dragging changes the order. */
export function ViewTabs({ entity, views, current, isChanged, menu, reorder }: ViewTabsProps) {
  const { ref, isHidden, hiddenCount } = useOverflow<HTMLUListElement>([ALL, ...views.map(({ id }) => id)])
  const isCurrentHidden = current !== undefined && isHidden(views.indexOf(current) + 1)
  const open = { isCurrent: true, isChanged, menu }
  const [dragged, setDragged] = useState<string | null>(null)
  const drop = (target: string) => {
    if (dragged && dragged !== target) reorder(moved(views, dragged, target))
    setDragged(null)
  }
  const drag = (id: string) => ({
    draggable: true,
    onDragStart: () => setDragged(id),
    onDragEnd: () => setDragged(null),
    onDragOver: (event: DragEvent) => dragged && event.preventDefault(),
    onDrop: () => drop(id),
  })
  return (
    <nav className={classes.bar} aria-label={strings.views}>
      <ul ref={ref} className={classes.tabs}>
        <li className={classes.tab} data-current={!current || undefined}>
          <Link
            to={VIEW_SCREENS[entity]}
            search={{ view: ALL }}
            className={classes.link}
            aria-current={current ? undefined : 'page'}
          >
            {strings.all[entity]}
            {!current && isChanged && <ChangedDot />}
          </Link>
          {!current && menu}
        </li>
        {views.map((view, index) => (
          <ViewTab
            key={view.id}
            view={view}
            isHidden={isHidden(index + 1)}
            isCounted={index < MAX_COUNTED_VIEWS}
            {...(view === current && !isCurrentHidden && open)}
            {...drag(view.id)}
          />
        ))}
      </ul>
      {current && isCurrentHidden && (
        <ul className={classes.tabs} data-fixed>
          <ViewTab view={current} isCounted {...open} />
        </ul>
      )}
      {hiddenCount > 0 && (
        <HiddenViewsButton entity={entity} views={views} current={current}>
          <UnstyledButton className={classes.more}>
            {strings.moreViews(hiddenCount)}
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </HiddenViewsButton>
      )}
    </nav>
  )
}

interface ViewTabProps extends Omit<ComponentProps<'li'>, 'children'> {
  view: View
  isHidden?: boolean
  isCounted?: boolean
  isCurrent?: boolean
  isChanged?: boolean
  menu?: ReactNode
}

function ViewTab({ view, isHidden, isCounted, isCurrent, isChanged, menu, ...item }: ViewTabProps) {
  const { id, entity, name, visibility } = view
  return (
    <li
      className={classes.tab}
      data-current={isCurrent || undefined}
      data-hidden={isHidden || undefined}
      {...item}
    >
      <Link
        to={VIEW_SCREENS[entity]}
        search={{ view: id }}
        className={classes.link}
        title={name}
        aria-current={isCurrent ? 'page' : undefined}
        draggable={false}
      >
        {visibility === 'shared' && <IconUsers size={13} aria-label={strings.shared} />}
        <bdi className={classes.name}>{name}</bdi>
        {isChanged && <ChangedDot />}
        {isCounted && <NewCount id={id} isOpen={isCurrent === true} />}
      </Link>
      {menu}
    </li>
  )
}

/** The ids in their order after a view was dropped on another. */
function moved(views: readonly View[], dragged: string, target: string): string[] {
  const ids = views.map(({ id }) => id)
  const to = ids.indexOf(target)
  return ids.filter((id) => id !== dragged).toSpliced(to, 0, dragged)
}

const ChangedDot = () => (
  <span className={classes.dot} role="img" aria-label={strings.changed} title={strings.changed} />
)

const NO_NEWS = { count: 0 }

/** How many records have entered a view since the user last looked. */
function NewCount({ id, isOpen }: { id: string; isOpen: boolean }) {
  const { data: { count } = NO_NEWS } = useQuery(viewQueries.news(id, isOpen))
  if (count === 0) return null
  return (
    <span className={classes.count} title={strings.newRecords(count)}>
      <span aria-hidden>{count > 999 ? '999+' : count}</span>
      <span className={classes.hiddenText}>{strings.newRecords(count)}</span>
    </span>
  )
}
