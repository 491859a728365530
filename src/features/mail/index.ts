export { UNSUBSCRIBE_TOKENS } from './unsubscribe-tokens.ts'
export { startMail } from './work.ts'
