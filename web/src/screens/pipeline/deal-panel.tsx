import { Drawer, Stack, Text } from '@mantine/core'
import { IconMoodSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { dealQuery } from './deal-cache.ts'
import { DealFields } from './deal-fields.tsx'
import { companyNameOf } from './deals.ts'
import { focusOpener, useOpenDeal } from './use-open-deal.ts'

interface DealPanelProps {
  /** The id of the deal, or undefined while the panel is closed. */
  id: string | undefined
  /** The deals on screen. */
  deals: Deal[]
  move: (deal: Deal, stage: string) => void
}

/** A deal beside the board. */
export function DealPanel({ id, deals, move }: DealPanelProps) {
  const openDeal = useOpenDeal()
  const isShown = deals.find((one) => one.id === id)
  // A deal that no longer matches the filter stays open, such as one just marked as won.
  const other = useQuery({ ...dealQuery(id ?? ''), enabled: id !== undefined && !isShown })
  const deal = isShown ?? other.data
  useFocusBack(id)
  const close = () => {
    // Fields save on blur.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    openDeal(null)
  }
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      position="right"
      size="30rem"
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 0.25 }}
      title={
        <Text fw={650} lineClamp={3} className="break-anywhere" dir="auto" component="span">
          {deal ? strings.dealWith(companyNameOf(deal)) : strings.title}
        </Text>
      }
    >
      {deal && <DealFields key={deal.id} deal={deal} deals={deals} move={move} />}
      {!deal && other.isPending && id !== undefined && <SkeletonLines lines={8} height={20} />}
      {!deal && other.isError && <ErrorState error={other.error} retry={() => other.refetch()} />}
      {!deal && other.data === null && id !== undefined && (
        <Stack>
          <EmptyState icon={<IconMoodSearch aria-hidden />} title={strings.dealNotFound}>
            {strings.dealNotFoundHelp}
          </EmptyState>
        </Stack>
      )}
    </Drawer>
  )
}

/** After the panel closes, returns the focus to the card, even if it has moved to another column. */
function useFocusBack(id: string | undefined): void {
  const last = useRef(id)
  useEffect(() => {
    const closed = last.current
    last.current = id
    if (closed === undefined || id !== undefined) return
    const timer = setTimeout(() => focusOpener(closed), 60)
    return () => clearTimeout(timer)
  }, [id])
}
