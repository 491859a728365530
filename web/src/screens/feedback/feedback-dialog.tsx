import { useMediaQuery } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DependencyUnavailable } from '#src/client/errors.ts'
import { strings } from '#strings/feedback.ts'
import { service } from '#web/service/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useFeedbackDraft } from './feedback-draft.ts'
import { FeedbackForm } from './feedback-form.tsx'
import { FeedbackOutcome, type Outcome } from './feedback-outcome.tsx'

/** Sends feedback from any screen. What was typed is there again until it has been taken. */
export default function FeedbackDialog({ close }: { close: () => void }) {
  const { text, setText, page, nextAttempt, forget } = useFeedbackDraft()
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const queryClient = useQueryClient()
  const send = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async (): Promise<Outcome> => {
      const { key, body } = nextAttempt()
      try {
        const sent = await service.submitFeedback({ headers: { 'idempotency-key': key }, body })
        return { kind: 'filed', issueId: sent.issue_id, url: sent.url }
      } catch (error) {
        return queuedOutcome(error)
      }
    },
    onSuccess: () => {
      forget()
      queryClient.invalidateQueries({ queryKey: ['feedback'] })
    },
  })
  return (
    <Dialog onClose={close} title={strings.title} size="lg" fullScreen={isNarrow}>
      {send.isSuccess ? (
        <FeedbackOutcome outcome={send.data} another={() => send.reset()} close={close} />
      ) : (
        <FeedbackForm
          text={text}
          change={setText}
          page={page}
          send={() => send.mutate()}
          isSending={send.isPending}
          error={send.error}
          startOver={() => {
            forget()
            send.reset()
          }}
        />
      )}
    </Dialog>
  )
}

/** A tracker that does not take feedback loses nothing: the details name the id under which it is kept. */
function queuedOutcome(error: unknown): Outcome {
  const id = error instanceof DependencyUnavailable ? /fb_[0-9a-z]+/.exec(error.details)?.[0] : undefined
  if (!id) throw error
  const [reason = ''] = (error as DependencyUnavailable).details.split(' Your feedback is kept as ')
  return { kind: 'kept', id, reason }
}
