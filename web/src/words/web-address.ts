/** `example.com` as the address that it is meant for. */
export const withProtocol = (text: string): string =>
  text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
