import { IconTags } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { strings } from '#strings/tags.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { SettingsNavigation } from '../components/settings-navigation.tsx'
import { type OpenedTag, TagDialog } from './tag-dialogs.tsx'
import { TagsTable } from './tags-table.tsx'

const route = getRouteApi('/shell/settings/tags')
const PAGE_SIZE = 50

/** All tags of companies. */
export function TagsScreen() {
  const { q = '', page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const tags = useQuery(fieldQueries.tags({ ...onePage(page, PAGE_SIZE), ...(q && { search: q }) }))
  const [opened, setOpened] = useState<OpenedTag | null>(null)
  const total = tags.data?.pagination.total
  return (
    <Page
      title={strings.title}
      description={
        <span role="status">
          {strings.description} {total !== undefined && strings.count(total)}
        </span>
      }
    >
      <SettingsNavigation />
      <SearchField
        label={strings.search}
        clearLabel={strings.clearSearch}
        value={q}
        search={(text) => navigate({ search: text ? { q: text } : {}, replace: true })}
      />
      {tags.isPending && <SkeletonLines lines={10} height={24} />}
      {tags.isError && !tags.data && <ErrorState error={tags.error} retry={() => tags.refetch()} />}
      {total === 0 && (
        <EmptyState icon={<IconTags aria-hidden />} title={q ? strings.noMatch : strings.empty}>
          {q ? strings.noMatchHelp : strings.emptyHelp}
        </EmptyState>
      )}
      {tags.data && tags.data.data.length > 0 && <TagsTable tags={tags.data.data} open={setOpened} />}
      <Pages
        query={tags}
        pages={pageCount(tags.data, PAGE_SIZE)}
        page={page}
        goTo={(chosen, replace = false) =>
          navigate({ search: { ...(q && { q }), ...(chosen > 1 && { page: chosen }) }, replace })
        }
      />
      {opened && <TagDialog opened={opened} close={() => setOpened(null)} />}
    </Page>
  )
}
