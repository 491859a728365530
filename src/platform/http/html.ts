import escapeHtml from 'escape-html'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Pages run no scripts, load nothing from other origins, and only submit forms to this service. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** HTML that a template does not escape. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An HTML template tag that escapes its values unless they are `Html`. */
export const html = (strings: TemplateStringsArray, ...values: (string | Html)[]): Html =>
  new Html(
    String.raw(
      { raw: strings },
      ...values.map((value) => (value instanceof Html ? value.text : escapeHtml(value))),
    ),
  )

/** Whether the client is a browser loading a page. */
export const prefersHtml = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') ?? false

/** Sends a complete page. */
export function sendHtml(reply: FastifyReply, title: string, body: Html): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem }
  h1 { font-size: 1.75rem; margin: 0 }
  h1 small { font-size: 0.9rem; font-weight: 400; opacity: 0.65 }
  li { margin: 0.4rem 0 }
  code { font-size: 0.9em }
  button, .button { font: inherit; color: inherit; background: none; border: 1px solid currentColor; border-radius: 0.4rem;
    padding: 0.4rem 1rem; cursor: pointer; text-decoration: none; display: inline-block }
</style>
</head>
<body>
${body}
</body>
</html>
`
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('cache-control', 'no-store')
    .send(page.text)
}
