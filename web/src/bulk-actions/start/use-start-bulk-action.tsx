import { Anchor, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Client } from '#src/client/client.ts'
import { strings } from '#strings/bulk-actions.ts'
import { service } from '#web/api/service.ts'
import { actionName } from '../action-labels.ts'
import { sendExpecting, type Target } from '../target.ts'

export type NewBulkAction = Parameters<Client['createBulkAction']>[0]['body']

/** Starts a bulk action and opens it. A request that is still waiting when the dialog closes is canceled. */
export function useStartBulkAction(close: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const closed = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    closed.current = controller
    return () => controller.abort()
  }, [])
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: async ({ target, body }: { target: Target; body: NewBulkAction }) => {
      const { signal } = closed.current
      return (await sendExpecting(target, () => service.createBulkAction({ body }, { signal }))).data
    },
    onSuccess: ({ id, action_type, total_companies }) => {
      const open = () => navigate({ to: '/bulk-actions/$id', params: { id } })
      notifications.show({
        title: actionName(action_type),
        message: (
          <Text size="sm" component="span" c="var(--mantine-color-text)">
            {strings.started(total_companies)}{' '}
            <Anchor
              href={`/bulk-actions/${id}`}
              size="sm"
              underline="always"
              onClick={(event) => {
                event.preventDefault()
                open()
              }}
            >
              {strings.viewProgress}
            </Anchor>
          </Text>
        ),
      })
      close()
      return open()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['bulk-actions'] }),
  })
}
