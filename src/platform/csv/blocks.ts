export const BLOCK_BYTES = 64 * 1024

/** Joins small chunks and cuts large ones, so that no chunk size makes reading slow or blocks the event loop. */
export async function* blocksOf(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + BLOCK_BYTES - length)
      parts.push(part)
      start += part.length
      length += part.length
      if (length < BLOCK_BYTES) continue
      yield Buffer.concat(parts)
      parts = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(parts)
}
