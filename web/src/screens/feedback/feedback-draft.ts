import { useState } from 'react'
import { newIdempotencyKey } from '#src/client/client.ts'
import { type FEEDBACK_TYPES, MAX_PAGE_LENGTH } from '#src/client/limits.ts'
import { useDraft } from '#web/editing/use-draft.ts'

type FeedbackType = (typeof FEEDBACK_TYPES)[number]

export interface FeedbackText {
  type: FeedbackType
  title: string
  description: string
}

interface Submission extends FeedbackText {
  page: string
}

interface Attempt {
  key: string
  body: Submission
}

const EMPTY: FeedbackText = { type: 'bug', title: '', description: '' }
const NO_ATTEMPT: Attempt | null = null
const isAttempt = (stored: unknown): stored is Attempt | null =>
  typeof (stored as Attempt | undefined)?.body?.title === 'string'

const currentPage = (): string => {
  const page = location.pathname + location.search
  return page.length > MAX_PAGE_LENGTH ? location.pathname : page
}

const isSame = (text: FeedbackText, body: Submission): boolean =>
  text.type === body.type && text.title.trim() === body.title && text.description === body.description

/** The draft of feedback. Retries of the same text use the same idempotency key, so that it is filed once. */
export function useFeedbackDraft() {
  const [text, setText, clearText] = useDraft('feedback', EMPTY)
  const [attempt, setAttempt, clearAttempt] = useDraft('feedback-attempt', NO_ATTEMPT, isAttempt)
  const [page] = useState(currentPage)
  const nextAttempt = (): Attempt => {
    if (attempt && isSame(text, attempt.body)) return attempt
    const made = { key: newIdempotencyKey(), body: { ...text, title: text.title.trim(), page } }
    setAttempt(made)
    return made
  }
  const clearDraft = () => {
    clearText()
    clearAttempt()
  }
  return { text, setText, page, nextAttempt, clearDraft }
}
