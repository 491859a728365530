import { Button, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { strings } from '#strings/general.ts'
import { queries } from '#web/service/queries.ts'
import { reachability } from '#web/service/reachability.ts'

/** Asks to sign in again in another tab, so that nothing that was typed here is lost. */
export function SessionOver() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const look = async () => {
      const user = await queryClient.fetchQuery({ ...queries.me(), staleTime: 0 }).catch(() => null)
      if (!user) return
      reachability.set({ isSessionOver: false })
      await queryClient.invalidateQueries()
    }
    addEventListener('focus', look)
    addEventListener('storage', look)
    return () => {
      removeEventListener('focus', look)
      removeEventListener('storage', look)
    }
  }, [queryClient])
  return (
    <Modal
      opened
      onClose={() => reachability.set({ isSessionOver: false })}
      title={strings.sessionOver}
      centered
      // Above every other dialog, such as the one whose text could not be saved.
      zIndex={1000}
    >
      <Stack>
        <Text size="sm">{strings.sessionOverExplained}</Text>
        <Button component="a" href="/" target="_blank" rel="noopener">
          {strings.signInAgain}
        </Button>
      </Stack>
    </Modal>
  )
}
