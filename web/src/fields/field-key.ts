const MAX_LENGTH = 56

/** A key made of a label, as the service makes it: `YC Batch` becomes `yc_batch`, or `yc_batch_2` if that is taken. */
export function suggestKey(label: string, taken: ReadonlySet<string> = new Set()): string {
  const word = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const key = (/^[a-z]/.test(word) ? word : word ? `field_${word}` : 'field').slice(0, MAX_LENGTH)
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? key : `${key}_${n}`
    if (!taken.has(candidate)) return candidate
  }
}
