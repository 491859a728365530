import { type Html, html } from './platform/http/html.ts'

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
