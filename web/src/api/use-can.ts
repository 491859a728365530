import { useQuery } from '@tanstack/react-query'
import type { Action } from '#src/client/limits.ts'
import { queries } from './queries.ts'
import type { CurrentUser } from './service.ts'

/**
 * Whether the signed-in user may take an action, so that screens offer only what the service accepts. It changes within
 * seconds of the user's role. False until the user is known.
 */
export function useCan(action: Action): boolean {
  const { data } = useQuery({
    ...queries.me(),
    select: (user: CurrentUser) => user.permissions.includes(action),
  })
  return data ?? false
}
