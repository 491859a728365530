import { type Html, html } from './platform/http/html.ts'

/** The page for people where the web app has not been built. */
export const welcomePage = (version: string): Html => html`<h1>deal-pipeline <small>${version}</small></h1>
<p>The service that keeps a team's investment targets: companies, theses, deals, and what happened to them.
It is running, without its web app: <code>npm run build:web</code> makes it.</p>
<ul>
  <li><a href="/api/auth/idp">Sign in</a>, and see <a href="/api/auth/me">who you are here</a></li>
  <li><a href="/docs">The API, to read and to try</a></li>
  <li><a href="/openapi.json">Its OpenAPI document</a>, for generators and tools</li>
  <li><a href="/api/companies?limit=10">The newest companies</a> and <a href="/api/stats">how much there is</a>, as JSON</li>
  <li><a href="/readyz">Whether the service is ready</a> and <a href="/metrics">its metrics</a></li>
</ul>
<p>To bring in your own companies: <code>npm run cli -- import companies.csv</code></p>`
