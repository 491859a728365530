/** The page at `/` for people. */
export const welcomePage = (version: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>deal-pipeline</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem }
  h1 { font-size: 1.75rem; margin: 0 }
  h1 small { font-size: 0.9rem; font-weight: 400; opacity: 0.65 }
  li { margin: 0.4rem 0 }
  code { font-size: 0.9em }
</style>
</head>
<body>
<h1>deal-pipeline <small>${version}</small></h1>
<p>The service that keeps a team's investment targets: companies, theses, deals, and what happened to them.
It is running.</p>
<ul>
  <li><a href="/docs">The API, to read and to try</a></li>
  <li><a href="/openapi.json">Its OpenAPI document</a>, for generators and tools</li>
  <li><a href="/api/companies?limit=10">The newest companies</a> and <a href="/api/stats">how much there is</a>, as JSON</li>
  <li><a href="/readyz">Whether the service is ready</a> and <a href="/metrics">its metrics</a></li>
</ul>
<p>To bring in your own companies: <code>npm run cli -- import companies.csv</code></p>
</body>
</html>
`
