import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FollowedType, notificationQueries } from '#web/api/notification-queries.ts'
import { queries } from '#web/api/queries.ts'
import { type Follow, service } from '#web/api/service.ts'

const PUT = {
  company: service.putCompanyFollow,
  deal: service.putDealFollow,
  person: service.putPersonFollow,
  thesis: service.putThesisFollow,
}
const DELETE = {
  company: service.deleteCompanyFollow,
  deal: service.deleteDealFollow,
  person: service.deletePersonFollow,
  thesis: service.deleteThesisFollow,
}

/** Whether the user follows a record. A change shows at once and is taken back if it cannot be saved. */
export function useFollow(type: FollowedType, id: string) {
  const queryClient = useQueryClient()
  const query = notificationQueries.follow(type, id)
  const { data: follow } = useQuery(query)
  const { data: me } = useQuery(queries.me())
  const key = ['follow', type, id]
  const { mutate } = useMutation({
    mutationKey: key,
    // One at a time, so that the last choice wins.
    scope: { id: key.join(' ') },
    mutationFn: async (isFollowing: boolean) => {
      const send = (isFollowing ? PUT : DELETE)[type]
      return (await send({ params: { id } })).data
    },
    onMutate: async (isFollowing) => {
      await queryClient.cancelQueries({ queryKey: query.queryKey })
      queryClient.setQueryData(
        query.queryKey,
        (before) => before && changed(before, isFollowing, me?.email ?? ''),
      )
    },
    onError: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
    onSuccess: (saved) => {
      if (queryClient.isMutating({ mutationKey: key }) === 1) queryClient.setQueryData(query.queryKey, saved)
    },
  })
  return { follow, toggle: () => follow && mutate(!follow.following), me: me?.email }
}

function changed({ followers }: Follow, isFollowing: boolean, me: string): Follow {
  const others = followers.filter((email) => email !== me)
  return {
    following: isFollowing,
    reason: isFollowing ? 'chosen' : null,
    followers: isFollowing ? [...others, me].toSorted() : others,
  }
}
