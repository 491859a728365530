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
  /** Of the deal that is shown; undefined: the panel is closed. */
  id: string | undefined
  /** Those on the screen. */
  deals: Deal[]
  move: (deal: Deal, stage: string) => void
}

/** A deal beside the board, to be read and changed. */
export function DealPanel({ id, deals, move }: DealPanelProps) {
  const openDeal = useOpenDeal()
  const isShown = deals.find((one) => one.id === id)
  // A deal that the list leaves out, such as one that was just marked as won, stays open.
  const other = useQuery({ ...dealQuery(id ?? ''), enabled: id !== undefined && !isShown })
  const deal = isShown ?? other.data
  useFocusBack(id)
  const close = () => {
    // What is being typed is saved when its field is left.
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
          <EmptyState icon={<IconMoodSearch aria-hidden />} title={strings.dealMissing}>
            {strings.dealMissingExplained}
          </EmptyState>
        </Stack>
      )}
    </Drawer>
  )
}

/** After the panel is closed, by whatever way, the focus is on the card again, also when that is in another column. */
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
