import { createRoute } from '@tanstack/react-router'
import { decisionsSearch } from '../screens/decisions/decisions-search.ts'
import { fileSearch } from '../screens/file/file-search.ts'
import { filesSearch } from '../screens/files/files-search.ts'
import { notesSearch } from '../screens/notes/notes-search.ts'
import { tasksSearch } from '../screens/tasks/tasks-search.ts'
import { shell } from './entry-routes.ts'
import { lazyRouteComponent } from './lazy-route-component.ts'
import { only } from './settings-routes.ts'

const notes = createRoute({
  getParentRoute: () => shell,
  path: '/notes',
  validateSearch: only(notesSearch),
  component: lazyRouteComponent(() => import('../screens/notes/index.tsx'), 'NotesScreen'),
})

const loadBrief = () => import('../screens/brief/index.tsx')
const companyBrief = createRoute({
  getParentRoute: () => shell,
  path: '/companies/$id/brief',
  component: lazyRouteComponent(loadBrief, 'CompanyBriefScreen'),
})
const personBrief = createRoute({
  getParentRoute: () => shell,
  path: '/people/$id/brief',
  component: lazyRouteComponent(loadBrief, 'PersonBriefScreen'),
})
const dealBrief = createRoute({
  getParentRoute: () => shell,
  path: '/deals/$id/brief',
  component: lazyRouteComponent(loadBrief, 'DealBriefScreen'),
})

const decisions = createRoute({
  getParentRoute: () => shell,
  path: '/decisions',
  validateSearch: only(decisionsSearch),
  component: lazyRouteComponent(() => import('../screens/decisions/index.tsx'), 'DecisionsScreen'),
})

const tasks = createRoute({
  getParentRoute: () => shell,
  path: '/tasks',
  validateSearch: only(tasksSearch),
  component: lazyRouteComponent(() => import('../screens/tasks/index.tsx'), 'TasksScreen'),
})

const note = createRoute({
  getParentRoute: () => shell,
  path: '/notes/$id',
  component: lazyRouteComponent(() => import('../screens/note/index.tsx'), 'NoteScreen'),
})

const files = createRoute({
  getParentRoute: () => shell,
  path: '/files',
  validateSearch: only(filesSearch),
  component: lazyRouteComponent(() => import('../screens/files/index.tsx'), 'FilesScreen'),
})

const file = createRoute({
  getParentRoute: () => shell,
  path: '/files/$id',
  validateSearch: only(fileSearch),
  component: lazyRouteComponent(() => import('../screens/file/index.tsx'), 'FileScreen'),
})

/** The routes of what is written and kept about companies, people, deals, and theses. */
export const recordRoutes = [
  notes,
  note,
  companyBrief,
  personBrief,
  dealBrief,
  decisions,
  tasks,
  files,
  file,
] as const
