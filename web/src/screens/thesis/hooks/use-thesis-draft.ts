import { useDraft } from '#web/editing/use-draft.ts'
import type { ThesisText } from '../thesis-draft.ts'

export interface ThesisDraft {
  text: ThesisText
  /** The saved version that the draft is based on, and its time. */
  from: ThesisText
  updated_at: string
}

/** The unsaved draft of a thesis, or null. */
export const useThesisDraft = (id: string) => useDraft<ThesisDraft | null>(`thesis:${id}`, null)
