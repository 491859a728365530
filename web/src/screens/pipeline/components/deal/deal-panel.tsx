import { Drawer, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/pipeline.ts'
import { queries } from '#web/api/queries.ts'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { readDeal } from '../../deal-cache.ts'
import { companyNameOf } from '../../deals.ts'
import { focusOpener, useOpenDeal } from '../../hooks/use-open-deal.ts'
import { DealFields } from './deal-fields.tsx'
import { isListOpen } from './deal-term.tsx'
import { MissingDeal } from './missing-deal.tsx'

interface DealPanelProps {
  /** The id of the deal, or undefined while the panel is closed. */
  id: string | undefined
}

/** A deal beside the board. */
export function DealPanel({ id }: DealPanelProps) {
  const openDeal = useOpenDeal()
  const queryClient = useQueryClient()
  // Shows the board's data at once.
  const initialData = () => (id === undefined ? undefined : readDeal(queryClient, id))
  const found = useQuery({
    ...queries.deal(id ?? ''),
    enabled: id !== undefined,
    initialData,
    initialDataUpdatedAt: 0,
  })
  const deal = found.data
  const isMissing = found.error instanceof NotFound
  useFocusBack(id)
  const close = () => {
    // Fields save on blur.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    openDeal(null)
  }
  // Mantine would close the panel before a field, a list, or a menu sees the key. Menus and dialogs are not inside the
  // element.
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
    if (isListOpen(event.target) || !event.currentTarget.contains(event.target as Node)) return
    event.preventDefault()
    close()
  }
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      closeOnEscape={false}
      onKeyDown={press}
      position="right"
      size="30rem"
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 0.25 }}
      title={
        <Text fw={650} lineClamp={3} className="break-anywhere" dir="auto" component="span">
          {deal ? strings.dealWith(companyNameOf(deal)) : strings.deal}
        </Text>
      }
    >
      {deal && !isMissing && <DealFields key={deal.id} deal={deal} />}
      {!deal && found.isPending && id !== undefined && <SkeletonLines lines={8} height={20} />}
      {isMissing && <MissingDeal id={id ?? ''} error={found.error} />}
      {!deal && found.isError && !isMissing && (
        <ErrorState error={found.error} retry={() => found.refetch()} />
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
