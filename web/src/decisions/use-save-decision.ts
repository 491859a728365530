import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Decision, service } from '#web/api/service.ts'
import { ifMatch } from '#web/editing/if-match.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { type DecisionText, requestBody } from './decision-text.ts'

const AFFECTED = ['decisions', 'timeline', 'companies', 'activity', 'history', 'trash']

/** Refetches everything that shows decisions. */
export function useRefreshDecisions(): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const resource of AFFECTED) queryClient.invalidateQueries({ queryKey: [resource] })
  }
}

/** Records a decision, or changes one unless someone else has changed it since. */
export function useSaveDecision(onSaved: () => void) {
  const refresh = useRefreshDecisions()
  return useMutation({
    meta: { handlesErrors: useIsMounted() },
    mutationFn: async ({
      companyId,
      key,
      text,
      decision,
    }: {
      companyId: string
      /** So that a repeated request creates no second decision. */
      key: string
      text: DecisionText
      decision: Decision | undefined
    }) => {
      if (decision)
        return service.updateDecision({
          params: { id: decision.id },
          body: requestBody(text),
          ...ifMatch(decision.updated_at),
        })
      return service.createDecision({
        body: { company_id: companyId, ...requestBody(text) },
        ...{ headers: { 'idempotency-key': key } },
      })
    },
    onSuccess: () => {
      refresh()
      onSaved()
    },
  })
}
