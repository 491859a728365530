import { useMediaQuery } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DependencyUnavailable } from '#src/client/errors.ts'
import { strings } from '#strings/feedback.ts'
import { service } from '#web/api/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { FeedbackForm } from './components/feedback-form.tsx'
import { FeedbackOutcome, type Outcome } from './components/feedback-outcome.tsx'
import { useFeedbackDraft } from './feedback-draft.ts'

/** The feedback dialog, available on every screen. The draft is kept until it is sent. */
export default function FeedbackDialog({ close }: { close: () => void }) {
  const { text, setText, page, nextAttempt, clearDraft } = useFeedbackDraft()
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const queryClient = useQueryClient()
  const send = useMutation({
    meta: { handlesErrors: useIsMounted() },
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
      clearDraft()
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
            clearDraft()
            send.reset()
          }}
        />
      )}
    </Dialog>
  )
}

/** If the tracker is down, the feedback is queued; the error details name its id. */
function queuedOutcome(error: unknown): Outcome {
  const id = error instanceof DependencyUnavailable ? /fb_[0-9a-z]+/.exec(error.details)?.[0] : undefined
  if (!id) throw error
  const reason = (error as DependencyUnavailable).details.replace(/[^.]*\bfb_[^.]*\.?/, '').trim()
  return { kind: 'queued', id, reason }
}
