import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { strings } from '#strings/users.ts'
import { queries } from '#web/api/queries.ts'
import type { User } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { NotPermitted } from '#web/ui/not-permitted.tsx'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { type AccessChange, ChangeAccessDialog } from './components/change-access-dialog.tsx'
import { TransferDialog } from './components/transfer-dialog.tsx'
import { UsersTable } from './components/users-table.tsx'

const route = getRouteApi('/shell/admin/users')
const PAGE_SIZE = 50

/** Every user, with their role and access. For admins. */
export function UsersScreen() {
  const mayManage = useCan('manage_users')
  if (mayManage) return <Users />
  return (
    <Page title={strings.title}>
      <NotPermitted>{strings.notPermitted}</NotPermitted>
    </Page>
  )
}

function Users() {
  const { q = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const users = useQuery(queries.allUsers())
  const [change, setChange] = useState<AccessChange | null>(null)
  const [leaver, setLeaver] = useState<User | null>(null)
  const matching = (users.data ?? []).filter((user) => matches(user, q))
  const pages = Math.ceil(matching.length / PAGE_SIZE)
  const shownPage = Math.min(page, Math.max(1, pages))
  const shown = matching.slice((shownPage - 1) * PAGE_SIZE, shownPage * PAGE_SIZE)
  return (
    <Page
      title={strings.title}
      description={
        <span role="status">{users.data ? strings.count(matching.length, users.data.length) : '\u00a0'}</span>
      }
    >
      <SearchField
        label={strings.search}
        placeholder={strings.searchPlaceholder}
        clearLabel={strings.clearSearch}
        value={q}
        search={(text) => navigate({ search: text ? { q: text } : {}, replace: true })}
      />
      {users.isPending && <SkeletonLines lines={10} height={24} />}
      {users.isError && !users.data && <ErrorState error={users.error} retry={() => users.refetch()} />}
      {users.data && matching.length === 0 && (
        <EmptyState icon={<IconUsers aria-hidden />} title={q ? strings.noMatch : strings.empty}>
          {q ? strings.noMatchHelp : strings.emptyHelp}
        </EmptyState>
      )}
      {shown.length > 0 && <UsersTable users={shown} change={setChange} transfer={setLeaver} />}
      <Pages
        query={users}
        pages={pages}
        page={shownPage}
        goTo={(chosen) => navigate({ search: { ...(q && { q }), ...(chosen > 1 && { page: chosen }) } })}
      />
      {change && <ChangeAccessDialog change={change} close={() => setChange(null)} />}
      {leaver && <TransferDialog user={leaver} close={() => setLeaver(null)} />}
    </Page>
  )
}

/** Whether the name or email address contains the text, in any case. */
function matches({ email, name }: User, text: string): boolean {
  const wanted = text.toLowerCase()
  return email.includes(wanted) || (name ?? '').toLowerCase().includes(wanted)
}
