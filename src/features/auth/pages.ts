import { type Html, html } from '#src/platform/html.ts'
import type { User } from '#src/platform/identity.ts'
import { HOME } from './return-path.ts'
import { signIn, signOut } from './schema.ts'

/** The page at `/home`: who is signed in, and the way in or out. */
export function homePage(user: User | null, canSignIn: boolean): Html {
  if (user) return userPage(user)
  return html`<h1>You are not signed in</h1>
${
  canSignIn
    ? html`<p><a class="button" href="${signIn.url}">Sign in</a>
  <a class="button" href="${signIn.url}?choose_account=true">Use another account</a></p>`
    : html`<p>Signing in through an identity provider is not set up here (<code>IDP_ISSUER</code>).</p>`
}
<p><a href="/">What this service is</a></p>`
}

const userPage = (user: User): Html => html`<h1>${user.name ?? user.email}</h1>
<p>You are signed in as <strong>${user.email}</strong>.</p>
<ul>
  <li><a href="/docs">The API, to read and to try</a></li>
  <li><a href="/api/companies?limit=10">The newest companies</a> and <a href="/api/stats">how much there is</a>, as JSON</li>
  <li><a href="/api/auth/me">You</a>, as JSON</li>
</ul>
${user.via === 'session' ? html`<form method="post" action="${signOut.url}"><button>Sign out</button></form>` : html``}`

/** The page of a sign-in that failed: who is signed in meanwhile, and the way to try again where there is one. */
export function failedPage(details: string, user: User | null, again: string | undefined): Html {
  return html`<h1>The sign-in did not work</h1>
<p>${details}</p>
${again ? html`<p><a class="button" href="${again}">Sign in again</a></p>` : html``}
<p>${user ? html`<a href="${HOME}">Go on as ${user.email}</a>` : html`<a href="/">What this service is</a>`}</p>`
}
