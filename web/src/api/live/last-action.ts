import type { CompletedAction } from '#src/client/client.ts'
import { createStore } from '../store.ts'

/** The latest request of this tab that has changed records, until its notice is shown. */
export const lastAction = createStore<{ done: CompletedAction | null }>({ done: null })
