import { type Html, html } from '#src/platform/http/html.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { HOME } from './return-path.ts'

/** The page of a sign-in that failed: who is signed in meanwhile, and the way to try again where there is one. */
export function failedPage(details: string, user: User | null, again: string | undefined): Html {
  return html`<h1>The sign-in did not work</h1>
<p>${details}</p>
${again ? html`<p><a class="button" href="${again}">Sign in again</a></p>` : html``}
<p>${user ? html`<a href="${HOME}">Go on as ${user.email}</a>` : html`<a href="/">The start page</a>`}</p>`
}
