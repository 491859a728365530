/** Adds https:// to an address such as `example.com`. */
export const withProtocol = (text: string): string =>
  text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
