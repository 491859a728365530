/** What the API's description says first. */
export const API_DESCRIPTION = `Companies, investment theses, deals and what happened to them.

A success is \`{"data": …}\`, a list \`{"data": […], "pagination": {total, limit, offset, hasMore}}\`, an error
\`{"error": "a fixed phrase for the status", "details": "a sentence that says what is wrong and what is allowed"}\`.
Each answer carries \`X-Request-Id\`.

People sign in by \`GET /api/auth/idp\` and have a session cookie then; scripts send a token of the same kind as
\`Authorization: Bearer\` (\`npm run cli -- token\` makes one). In development the header \`X-User-Email\` is enough.

Requests are counted by the minute and caller in four classes, which each operation names as \`x-rate-class\`; the
headers \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (seconds) tell what is left. \`x-rate-class: none\` marks an operation that is not counted.

\`x-open: true\` marks an operation that answers without a user, in production too.`

/** What the groups of operations are about, in the order of the documentation. */
export const API_TAGS = {
  Authentication: 'Sign in and out, and read the current user.',
  Companies: 'Companies: list, create, change, import and export them.',
  Search: 'Semantic search over companies.',
  'Bulk actions': 'Background work on many companies: embeddings, scores and profiles.',
  Files: 'Files of companies in object storage.',
  Theses: 'Investment theses.',
  Dealflow: 'Deals and their stages.',
  Activity: 'The log of changes.',
  Stats: 'Totals.',
  Users: 'Users and their preferences.',
  Feedback: 'Feedback on the product, filed in an issue tracker.',
  Operation: 'Health checks for load balancers and orchestrators.',
}

/** The screens of the web app, whose router tells them apart. */
export const PAGES = [
  '/',
  '/home',
  '/companies',
  '/companies/:id',
  '/pipeline',
  '/theses',
  '/theses/:id',
  '/bulk-actions',
  '/bulk-actions/:id',
  '/activity',
  '/settings',
]
