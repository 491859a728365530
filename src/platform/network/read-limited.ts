/** Reads at most `maxBytes` of a response body, decompressed, and cancels the rest. */
export async function firstBytes(
  { body }: { body: AsyncIterable<Uint8Array> | null },
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
