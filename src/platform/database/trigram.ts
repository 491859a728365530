/**
 * Whether a trigram index can look up the text. If it cannot, PostgreSQL would read the whole index, which takes eight
 * times as long as reading the table.
 */
export const hasTrigram = (text: string) =>
  /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u.test(text)
