import { Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowLeft, IconCopy, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { strings } from '#strings/relationships.ts'
import { type BriefOf, relationshipQueries } from '#web/api/relationship-queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import Markdown from '#web/ui/markdown/markdown.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'

const PAGES = { company: '/companies/$id', person: '/people/$id', deal: '/deals/$id' } as const
const company = getRouteApi('/shell/companies/$id/brief')
const person = getRouteApi('/shell/people/$id/brief')
const deal = getRouteApi('/shell/deals/$id/brief')

export const CompanyBriefScreen = () => <Brief of="company" id={company.useParams().id} />
export const PersonBriefScreen = () => <Brief of="person" id={person.useParams().id} />
export const DealBriefScreen = () => <Brief of="deal" id={deal.useParams().id} />

/** One page about a record, to read or print before a meeting. */
function Brief({ of, id }: { of: BriefOf; id: string }) {
  const brief = useQuery(relationshipQueries.brief(of, id))
  const [title = strings.brief, ...rest] = (brief.data ?? '').split('\n')
  const copy = () =>
    navigator.clipboard?.writeText(brief.data ?? '').then(
      () => notifications.show({ message: strings.copied }),
      () => notifications.show({ message: strings.notCopied }),
    ) ?? notifications.show({ message: strings.notCopied })
  return (
    <>
      <Group mb="xs" className="print-hidden">
        <ScreenLink to={PAGES[of]} params={{ id }} size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.back}
          </Group>
        </ScreenLink>
      </Group>
      <Page
        title={title.replace(/^#\s*/, '').replace(/\\([!-/:-@[-`{-~])/g, '$1') || strings.brief}
        actions={
          brief.data && (
            <>
              <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
                {strings.copy}
              </Button>
              <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
                {strings.print}
              </Button>
            </>
          )
        }
      >
        {brief.isPending && <SkeletonLines lines={16} height={20} />}
        {brief.isError && !brief.data && <ErrorState error={brief.error} retry={() => brief.refetch()} />}
        {brief.data && (
          <Stack maw="48rem">
            <Markdown markdown={rest.join('\n')} level={2} />
          </Stack>
        )}
      </Page>
    </>
  )
}
