import { Html, html } from '#src/platform/http/html.ts'
import type { Entry, Link, MailContent, Section } from './content.ts'

/** The mail as plain text. */
export function textOf({ title, sections, action, reason, settings, unsubscribe }: MailContent): string {
  const parts = sections.map(({ title, entries, more }) =>
    [
      `${title}\n`,
      ...entries.map(({ text, url, note }) => `* ${text}${note ? ` (${note})` : ''}\n  ${url}`),
      ...(more > 0 ? [`* and ${more} more`] : []),
    ].join('\n'),
  )
  return [
    title,
    ...parts,
    `${action.label}: ${action.url}`,
    `-- \n${reason}\n${settings.label}: ${settings.url}\n${unsubscribe.label}: ${unsubscribe.url}\n`,
  ].join('\n\n')
}

/** The styles are inline, because many mail programs drop others. In dark mode, those that keep them use these. */
const DARK_MODE = `
  :root { color-scheme: light dark; supported-color-schemes: light dark }
  @media (prefers-color-scheme: dark) {
    .page { background-color: #141518 !important }
    .card { background-color: #1a1b1f !important; border-color: #303238 !important }
    .text { color: #e3e4e7 !important }
    .muted { color: #9a9da6 !important }
    .link { color: #84b1c0 !important }
    .rule { border-color: #303238 !important }
    .button { background-color: #2f6f86 !important }
  }`
const FONT = "font-family:Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif"

/** The mail as an HTML page. */
export function htmlOf(content: MailContent): string {
  const { subject, workspace, title, sections, action, reason, settings, unsubscribe } = content
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${new Html(DARK_MODE)}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f3f3f4">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f3f3f4">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;${new Html(FONT)};font-size:15px;line-height:1.5">
<tr><td class="muted" style="padding:0 4px 12px;color:#5b5f68;font-size:13px;font-weight:600">${workspace}</td></tr>
<tr><td class="card" style="background-color:#ffffff;border:1px solid #e9e9eb;border-radius:8px;padding:28px">
<h1 class="text" style="margin:0;color:#23252b;font-size:19px;line-height:1.35;font-weight:600">${title}</h1>
${joined(sections.map(sectionHtml))}
<p style="margin:24px 0 0"><a class="button" href="${action.url}" style="display:inline-block;background-color:#205d74;color:#ffffff;text-decoration:none;font-weight:600;font-size:14px;padding:9px 18px;border-radius:6px">${action.label}</a></p>
</td></tr>
<tr><td class="muted" style="padding:16px 4px 0;color:#5b5f68;font-size:12px;line-height:1.6">${reason}<br>
${linkHtml(settings)} &nbsp;·&nbsp; ${linkHtml(unsubscribe)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text
}

function sectionHtml({ title, entries, more }: Section): Html {
  const rest =
    more > 0
      ? html`<p class="muted" style="margin:10px 0 0;color:#5b5f68">and ${String(more)} more</p>`
      : new Html('')
  return html`<h2 class="muted" style="margin:24px 0 4px;color:#5b5f68;font-size:13px;font-weight:600">${title}</h2>
${joined(entries.map(entryHtml))}${rest}
`
}

const entryHtml = ({ text, url, note = '' }: Entry): Html =>
  html`<div class="rule" style="border-top:1px solid #e9e9eb;padding:9px 0"><a class="link" href="${url}" style="color:#205d74;text-decoration:none">${text}</a>${
    note ? html`<span class="muted" style="color:#5b5f68"> &nbsp;${note}</span>` : ''
  }</div>
`

const linkHtml = ({ label, url }: Link): Html =>
  html`<a class="muted" href="${url}" style="color:#5b5f68;text-decoration:underline">${label}</a>`

const joined = (parts: readonly Html[]): Html => new Html(parts.map(({ text }) => text).join(''))
