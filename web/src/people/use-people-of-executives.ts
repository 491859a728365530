import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/people.ts'
import { service } from '#web/api/service.ts'
import { changeTarget, EVERY_COMPANY, sendExpecting, type Target } from '#web/bulk-actions/target.ts'

interface Made {
  created: number
  existing: number
  skipped: number
}

/** Makes people of the executives of companies. A change shows its notice with Undo. */
export function usePeopleOfExecutives() {
  const queryClient = useQueryClient()
  return useMutation({
    /** @param target the company with an id, several, or all */
    mutationFn: async (target: Target | { id: string } | 'all'): Promise<Made> => {
      if (target === 'all')
        return (await service.createPeopleOfCompanies({ body: { filter: EVERY_COMPANY } })).data
      if ('id' in target) return (await service.createPeopleFromExecutives({ params: target })).data
      const body = changeTarget(target)
      return (await sendExpecting(target, () => service.createPeopleOfCompanies({ body }))).data
    },
    onSuccess: ({ created, existing, skipped }) => {
      if (created === 0)
        notifications.show({ message: `${strings.madeOfExecutives(created, existing, skipped)}.` })
      for (const resource of ['people', 'activity']) queryClient.invalidateQueries({ queryKey: [resource] })
    },
  })
}
