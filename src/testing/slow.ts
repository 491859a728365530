/** Whether this is `npm test`, in which tests check the main behavior only. */
export const isQuick = Boolean(process.env.TEST_QUICK)

/**
 * Why `npm test` skips a test: it takes long, waits for a timeout, or checks a rare case. Only `npm run test:full` runs
 * it, like the files `*.slow.test.ts`.
 */
export const slow = isQuick && 'slow, see npm run test:full'
