import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { MAX_VOTE_COMMENT_LENGTH, VOTES } from '#src/client/limits.ts'
import { strings } from '#strings/decisions.ts'
import { queries } from '#web/api/queries.ts'
import { type Decision, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { useRefreshDecisions } from './use-save-decision.ts'

type Vote = (typeof VOTES)[number]
const CHOICES = VOTES.map((vote) => ({ value: vote as string, label: strings.votes[vote] }))

/** The user's vote on an open decision. */
export function Votes({ decision }: { decision: Decision }) {
  const { data: me } = useQuery(queries.me())
  const mayVote = useCan('write')
  const own = decision.votes.find(({ user_email }) => user_email === me?.email)
  const [chosen, setChosen] = useState<Vote | null>(null)
  const [comment, setComment] = useState(own?.comment ?? '')
  const refresh = useRefreshDecisions()
  const params = { id: decision.id }
  const cast = useMutation({
    mutationFn: (vote: Vote) =>
      service.putVote({ params, body: { vote, comment: comment.trim() === '' ? null : comment.trim() } }),
    onSuccess: () => {
      setChosen(null)
      refresh()
    },
  })
  const withdraw = useMutation({ mutationFn: () => service.deleteVote({ params }), onSuccess: refresh })
  if (!mayVote || !me) return null
  const vote = chosen ?? own?.vote
  return (
    <form
      className="print-hidden"
      aria-label={strings.yourVote}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        if (vote && !cast.isPending) cast.mutate(vote)
      }}
    >
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={strings.yourVote}
          value={vote ?? ''}
          onChange={(value) => setChosen(value as Vote)}
          data={CHOICES}
        />
        <TextInput
          size="xs"
          aria-label={strings.comment}
          placeholder={strings.commentPlaceholder}
          maxLength={MAX_VOTE_COMMENT_LENGTH}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          dir="auto"
          flex={1}
          miw="10rem"
        />
        <Button type="submit" size="xs" disabled={!vote} loading={cast.isPending}>
          {strings.vote}
        </Button>
        {own && (
          <Button size="xs" variant="subtle" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {strings.withdraw}
          </Button>
        )}
      </Group>
    </form>
  )
}
