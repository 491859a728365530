export { startMail } from './work.ts'
