import { type Html, html } from '#src/platform/http/html.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { HOME } from './return-path.ts'

/** The page for a failed sign-in, with links to retry, if possible, and to continue as the current user. */
export function signInFailedPage(details: string, user: User | null, retryUrl: string | undefined): Html {
  return html`<h1>Sign-in failed</h1>
<p>${details}</p>
${retryUrl ? html`<p><a class="button" href="${retryUrl}">Sign in again</a></p>` : html``}
<p>${user ? html`<a href="${HOME}">Continue as ${user.email}</a>` : html`<a href="/">Go to the start page</a>`}</p>`
}
