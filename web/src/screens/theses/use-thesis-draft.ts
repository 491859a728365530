import { useDraft } from '#web/editing/use-draft.ts'
import type { ThesisText } from './thesis-draft.ts'

export interface ThesisDraft {
  text: ThesisText
  /** What it was written from, and when that was saved. */
  from: ThesisText
  updated_at: string
}

/** What was changed of a thesis and not saved; null: nothing. */
export const useThesisDraft = (id: string) => useDraft<ThesisDraft | null>(`thesis:${id}`, null)
