import { UNSUBSCRIBE_TOKENS } from './features/mail/index.ts'
import type { SealedColumn } from './platform/encryption/sealed-columns.ts'

/** All columns of encrypted secrets, which the slices declare. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [UNSUBSCRIBE_TOKENS]
