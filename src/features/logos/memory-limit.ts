const HEADER_LENGTH = 8
const MEMORY_SECTION = 5
const PAGES_PER_MIB = 16

/**
 * Limits the memory of a WebAssembly module, which `resourceLimits` of a thread does not. Beyond it, an allocation fails.
 * @returns a copy of the module whose only memory states a maximum
 */
export function withMemoryLimit(module: Buffer, mebibytes: number): Buffer<ArrayBuffer> {
  for (let start = HEADER_LENGTH; start < module.length; ) {
    const size = readNumber(module, start + 1)
    const end = size.end + size.value
    if (module[start] === MEMORY_SECTION) {
      const [memories, flags] = [module[size.end], module[size.end + 1]]
      if (memories !== 1 || flags !== 0) throw new Error('The module has no memory that can be limited.')
      const initial = writeNumber(readNumber(module, size.end + 2).value)
      const content = [memories, 1, ...initial, ...writeNumber(mebibytes * PAGES_PER_MIB)]
      const section = Buffer.from([MEMORY_SECTION, ...writeNumber(content.length), ...content])
      return Buffer.concat([module.subarray(0, start), section, module.subarray(end)])
    }
    start = end
  }
  throw new Error('The module has no memory.')
}

/** Reads an unsigned LEB128 number: seven bits per byte, the lowest first. */
function readNumber(bytes: Buffer, start: number): { value: number; end: number } {
  let [value, end] = [0, start]
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, end }
  }
}

const writeNumber = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(Math.floor(value / 0x80))]
