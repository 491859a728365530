import { type Html, html } from './platform/http/html.ts'
/** The introduction of the API documentation. */
export const API_DESCRIPTION = `Companies, investment theses, deals and their history.

A successful response is \`{"data": …}\`, a list \`{"data": […], "pagination": {total, limit, offset, hasMore}}\`, an error
\`{"error": "a fixed phrase for the status", "details": "a sentence that explains what is wrong and what is allowed"}\`.
Every response has an \`X-Request-Id\` header. An unknown path is a 404; another method on a known path is a 405 whose
\`Allow\` header lists the methods.

A response to a request that changes records names its action in the header \`X-Action-Id\`; \`POST /api/actions/{id}/undo\`
undoes it.

Users sign in through \`GET /api/auth/idp\`, which sets a session cookie. Scripts send an API key
(\`POST /api/keys\`) or a token as \`Authorization: Bearer\`. In development, the header \`X-User-Email\` is enough.

Requests are limited per minute per caller in five classes. \`x-rate-class\` is the class of an operation; \`none\` means
that it is not limited. In the class \`standard\`, the web app has a higher limit of its own. The headers
\`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (in seconds) report the remaining requests.

\`x-action\` is the permission that an operation needs; docs/access.md lists which roles and scopes have it.
\`x-open: true\` marks an operation that needs no user, even in production.`

/** The operation groups, in the order of the documentation. */
export const API_TAGS = {
  Authentication: 'Signing in and out, and the current user.',
  Companies: 'List, create, update, import and export companies.',
  Tags: 'Tags of companies.',
  People: 'People, and the companies that they are linked to.',
  Notes: 'Notes, calls, meetings and emails about companies, deals, people and theses.',
  Tasks: 'What is to be done, by whom and when, and reminders to get in touch.',
  Decisions: 'What was decided about companies, for which reasons, who voted, and when to look again.',
  Relationships: 'Who of the team knows a person or a company, by calls, meetings, and emails.',
  Notifications: 'What you are told, how, and which records you follow.',
  Briefs: 'One page about a company, a person, or a deal.',
  Search: 'Semantic search over companies.',
  'Bulk actions': 'Background jobs over many companies: embeddings, scores and profiles.',
  Files: 'Company files in object storage.',
  Theses: 'Investment theses.',
  Dealflow: 'Deals and their stages.',
  Fields: 'What records can be filtered and sorted by, and custom fields of companies, deals, and people.',
  Views: 'Saved views of lists: filter, sort, columns; and what is new in them.',
  Activity: 'The activity log.',
  Privacy: 'Personal data of contacts: export, erasure, and retention.',
  History: 'What each request, import and bulk action changed, and undoing it.',
  Trash: 'Deleted records.',
  Duplicates: 'Companies that may be the same.',
  Audit: 'Sign-ins, exports, imports, bulk actions, and denied requests.',
  Stats: 'Totals.',
  Users: 'Users, their preferences, and their roles.',
  'Sessions and API keys': 'Where you are signed in, and keys for scripts.',
  Calendar: 'Tasks and companies to look at again, for calendar programs.',
  Feedback: 'Product feedback, filed in an issue tracker.',
  Administration: 'Backups.',
  Operation: 'Health checks for load balancers and orchestrators.',
}

/** The URLs of the web app's screens; its router distinguishes them. */
export const PAGES = [
  '/',
  '/home',
  '/inbox',
  '/companies',
  '/companies/:id',
  '/people',
  '/people/:id',
  '/pipeline',
  '/deals/:id',
  '/theses',
  '/theses/:id',
  '/notes',
  '/notes/:id',
  '/decisions',
  '/tasks',
  '/files',
  '/files/:id',
  '/companies/:id/brief',
  '/people/:id/brief',
  '/deals/:id/brief',
  '/bulk-actions',
  '/bulk-actions/:id',
  '/activity',
  '/activity/actions/:id',
  '/duplicates',
  '/trash',
  '/settings',
  '/settings/notifications',
  '/settings/sessions',
  '/settings/keys',
  '/settings/fields',
  '/settings/tags',
  '/settings/stages',
  '/settings/reasons',
  '/admin/users',
  '/admin/audit',
  '/admin/backups',
]

/** The page that browsers get if the web app has not been built. */
export const welcomePage = (version: string): Html => html`<h1>deal-pipeline <small>${version}</small></h1>
<p>Tracks a team's investment targets: companies, theses, deals and their history.
The service is running without its web app. Run <code>npm run build:web</code> to build it.</p>
<ul>
  <li><a href="/api/auth/idp">Sign in</a>, or see <a href="/api/auth/me">who is signed in</a></li>
  <li><a href="/docs">API documentation</a>, which can send requests</li>
  <li><a href="/openapi.json">OpenAPI document</a>, for code generators and tools</li>
  <li><a href="/api/companies?limit=10">The newest companies</a> and <a href="/api/stats">totals</a>, as JSON</li>
  <li><a href="/readyz">Readiness</a></li>
</ul>
<p>To import your own companies: <code>npm run cli -- import companies.csv</code></p>`
