/** The first bytes of an answer's body, decompressed; what comes after them is not waited for. */
export async function firstBytes(
  { body }: { body: AsyncIterable<Uint8Array> | null },
  most: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  return Buffer.concat(chunks).subarray(0, most)
}
