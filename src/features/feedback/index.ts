export { startFiling } from './filing.ts'
export {
  FEEDBACK_QUEUE,
  type FeedbackJob,
  FILING_TIMING,
  type FilingTiming,
  MAX_RETRY_DELAY_SECONDS,
} from './queue.ts'
