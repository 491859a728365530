/** Adds https:// to an address such as `example.com`. */
export const withProtocol = (text: string): string =>
  text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`

/** The address without its protocol and `www.`: `example.com` for `https://www.example.com/`. */
export const withoutProtocol = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')

/** The address of a new message. Characters such as ? would begin its subject and copies (RFC 6068). */
export const mailAddress = (email: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
