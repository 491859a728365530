/**
 * Why `npm test` skips a test: it takes long or waits for a timeout, and quick tests show the main behavior. Only
 * `npm run test:full` runs it, like the files `*.slow.test.ts`.
 */
export const slow = process.env.TEST_QUICK ? 'slow, see npm run test:full' : false
