import { Button, Group, Stack, Text } from '@mantine/core'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatWord } from '#web/words/format.ts'
import { nameOf, statusFor, wordInText } from './deals.ts'
import { useDealChange } from './use-deal-change.tsx'

/** Offers to set the status that goes with the stage that a deal came to. */
export function StatusOffer({ deal, close }: { deal: Deal | null; close: () => void }) {
  const { mutate } = useDealChange()
  const status = deal && statusFor(deal)
  if (!deal || !status) return null
  const mark = () => {
    mutate({ deal, changes: { status } })
    close()
  }
  return (
    <Dialog onClose={close} title={strings.markTitle(wordInText(status))} centered>
      <Stack>
        <Text size="sm" className="break-anywhere" dir="auto">
          {strings.markQuestion(nameOf(deal), formatWord(deal.stage), formatWord(deal.status))}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {strings.leaveStatus(wordInText(deal.status))}
          </Button>
          <Button onClick={mark} data-autofocus>
            {strings.mark(wordInText(status))}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
