import { Button, Group, Stack, Text } from '@mantine/core'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/service/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatWord } from '#web/words/format.ts'
import { companyNameOf, lowercaseWord, matchingStatus } from './deals.ts'
import { useUpdateDeal } from './use-update-deal.tsx'

/** Offers to update the status when a deal has moved to a stage that implies another one. */
export function StatusPrompt({ deal, close }: { deal: Deal | null; close: () => void }) {
  const { mutate } = useUpdateDeal()
  const status = deal && matchingStatus(deal)
  if (!deal || !status) return null
  const mark = () => {
    mutate({ deal, changes: { status } })
    close()
  }
  return (
    <Dialog onClose={close} title={strings.markTitle(lowercaseWord(status))} centered>
      <Stack>
        <Text size="sm" className="break-anywhere" dir="auto">
          {strings.markQuestion(companyNameOf(deal), formatWord(deal.stage), formatWord(deal.status))}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {strings.keepStatus(lowercaseWord(deal.status))}
          </Button>
          <Button onClick={mark} data-autofocus>
            {strings.mark(lowercaseWord(status))}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
