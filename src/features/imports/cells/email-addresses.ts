const ADDRESSES = /[^\s<>()[\]",;:|]+@[^\s<>()[\]",;:|]+/g

/** The email addresses in a text such as "Ada <ada@example.com>", in lower case and each once. */
export const emailAddressesIn = (text: string): string[] => [
  ...new Set((text.toLowerCase().match(ADDRESSES) ?? []).map((address) => address.replace(/^'|[.']+$/g, ''))),
]
