import { Button, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/tasks.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { Task } from '#web/api/service.ts'
import { taskQueries } from '#web/api/task-queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { runAction, useActions } from '#web/keyboard/actions.ts'
import { listPosition } from '#web/lists/list-position.ts'
import { useRangeSelection } from '#web/lists/use-range-selection.ts'
import { useRowKeys } from '#web/lists/use-row-keys.ts'
import { TaskDialog } from '#web/tasks/lazy-dialogs.ts'
import { useFinishedTasks } from '#web/tasks/use-finished-tasks.ts'
import { useFinishTasks } from '#web/tasks/use-task-actions.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { NoTasks } from './components/no-tasks.tsx'
import { SelectionBar } from './components/selection-bar.tsx'
import { TaskFilterBar } from './components/task-filters.tsx'
import { TaskGroups } from './components/task-groups.tsx'
import { useSelectedTasks } from './hooks/use-selected-tasks.ts'
import { useTaskCommands } from './hooks/use-task-commands.tsx'
import { groupTasks } from './task-groups.ts'
import { type TaskFilters, type TasksSearch, type TasksView, tasksQuery, VIEWS } from './tasks-search.ts'

const route = getRouteApi('/shell/tasks')
const TASKS = '/tasks'
const PAGE_SIZE = 100
const NO_TASKS: never[] = []

const ROW_KEYS = {
  ...{ group: strings.group, next: strings.next, previous: strings.previous, first: strings.first },
  ...{ last: strings.last, open: strings.openRecord, select: strings.select, search: strings.search },
}

/** What is to be done, by date or by assignee, and what is finished. */
export function TasksScreen() {
  const search = route.useSearch()
  const { page = 1, task: openTask, ...narrowed } = search
  const { view = 'mine', ...filters } = narrowed
  const navigate = route.useNavigate()
  const mayWrite = useCan('write')
  const users = useQuery(queries.allUsers()).data ?? NO_TASKS
  const pageQuery = (of: number) => taskQueries.tasks({ ...tasksQuery(search), ...onePage(of, PAGE_SIZE) })
  const list = useQuery(pageQuery(page))
  const [finished, keepFinished, forget] = useFinishedTasks()
  const { mutate: finish } = useFinishTasks(view === 'done' ? undefined : keepFinished)
  const data = list.data?.data ?? NO_TASKS
  const groups = useMemo(() => groupTasks(view, data, finished, users), [view, data, finished, users])
  const rows = useMemo(() => groups.flatMap(({ tasks }) => tasks), [groups])
  const selected = useSelectedTasks(rows)
  const setSelected = useRangeSelection(rows, selected.set)
  const total = list.data?.pagination.total
  const region = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const change = (to: TasksSearch, replace = true) => {
    forget()
    navigate({ search: to, replace, resetScroll: false })
  }
  const pages = Math.max(1, pageCount(list.data, PAGE_SIZE))
  const goTo = (target: number, replace = false) =>
    change({ ...narrowed, ...(target > 1 && { page: target }) }, replace)
  const { enter, advance } = useRowKeys({
    ...{ list: TASKS, names: ROW_KEYS, rows, isStale: list.isPlaceholderData || list.isPending },
    ...{ search: {}, page, pages, limit: PAGE_SIZE, goTo, region, input },
    findBeyond: async (step) => {
      const target = page + step
      if (target < 1 || target > pages) return undefined
      const found = await queryClient.fetchQuery(pageQuery(target))
      const id = found.data.at(step > 0 ? 0 : -1)?.id
      return id === undefined ? undefined : { id, page: target }
    },
    open: (id) => document.querySelector<HTMLElement>(`a[data-record="${CSS.escape(id)}"]`)?.click(),
  })
  const setDone = (tasks: readonly Task[], isDone: boolean) => finish({ tasks, isDone })
  const add = () => runAction('new-task')
  const commands = useTaskCommands({
    ...{ selected: selected.tasks, clear: selected.clear, setDone, advance, add },
    focused: () => rows.find(({ id }) => id === listPosition.current(TASKS)),
  })
  useActions([
    selected.tasks.length > 0 && {
      ...{ id: 'clear-selection', label: general.cancel, group: strings.group },
      ...{ keys: ['Escape'], run: selected.clear, isHidden: true },
    },
  ])
  const setView = (chosen: TasksView) => change(chosen === 'mine' ? {} : { view: chosen }, false)
  const set = (name: keyof TaskFilters, value: string | undefined) => {
    const { [name]: _previous, ...others } = filters
    const viewed = view === 'mine' ? {} : { view }
    change({ ...viewed, ...others, ...(value && ({ [name]: value } as TaskFilters)) })
  }
  const clear = () => change(view === 'mine' ? {} : { view })
  const closeTask = () => {
    const { task: _closed, ...others } = search
    navigate({ search: others, replace: true, resetScroll: false })
  }
  return (
    <Page
      title={strings.title}
      actions={mayWrite && <Button onClick={add}>{strings.newTask}</Button>}
      description={
        <span role="status">
          {total === undefined ? '\u00a0' : (view === 'done' ? strings.finishedCount : strings.count)(total)}
        </span>
      }
    >
      <SegmentedControl
        aria-label={strings.view}
        value={view}
        onChange={setView}
        data={VIEWS.map((value) => ({ value, label: strings.views[value] }))}
        style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
      />
      <TaskFilterBar {...{ view, filters, set, clear, enterList: enter }} inputRef={input} />
      {list.isPending && <SkeletonLines lines={8} height={26} />}
      {list.isError && !list.data && <ErrorState error={list.error} retry={() => list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <NoTasks view={view} isFiltered={Object.keys(filters).length > 0} add={add} />
      )}
      <div ref={region}>
        <TaskGroups
          groups={groups}
          isStale={list.isPlaceholderData}
          selected={selected}
          setSelected={mayWrite && view !== 'done' ? setSelected : undefined}
          showsAssignee={view === 'all' || view === 'done'}
          setDone={(task, isDone) => setDone([task], isDone)}
        />
      </div>
      <Pages query={list} pages={pages} page={page} goTo={goTo} />
      {selected.tasks.length > 0 && (
        <SelectionBar count={selected.tasks.length} commands={commands} clear={selected.clear} />
      )}
      {commands.dialog}
      {list.isPlaceholderData && <VisuallyHidden role="status">{general.loading}</VisuallyHidden>}
      {openTask && (
        <LazyDialog close={closeTask}>
          <TaskDialog id={openTask} close={closeTask} />
        </LazyDialog>
      )}
    </Page>
  )
}
