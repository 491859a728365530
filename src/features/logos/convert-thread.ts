import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { initPhoton, PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/others'
import { imageSize } from 'image-size'

const HEADER_LENGTH = 8
const MEMORY_SECTION = 5
const PAGES_PER_MIB = 16

/**
 * Limits the memory of a WebAssembly module, which `resourceLimits` of a thread does not. Beyond it, an allocation fails.
 * @returns a copy of the module whose only memory states a maximum
 */
function withMemoryLimit(module: Buffer, mebibytes: number): Buffer<ArrayBuffer> {
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

/** Logos have up to 32 CSS pixels, and some screens have two physical pixels for each. */
const MAX_EDGE = 64
const MAX_PIXELS = 2048 * 2048
/** Enough for several copies of the largest image. */
const MAX_MEMORY_MIB = 128
const TYPES = ['png', 'ico', 'jpg', 'gif', 'webp']

/** Converts the image in `workerData`. Throws if it is not an image, or is too large. */
async function convert(bytes: Uint8Array): Promise<Uint8Array> {
  // The size in the header is checked before any pixel is decoded.
  const { width, height, type = '' } = imageSize(bytes)
  if (!TYPES.includes(type) || width < 1 || height < 1 || width * height > MAX_PIXELS)
    throw new Error(`${width} × ${height} ${type}`)
  const file = createRequire(import.meta.url).resolve('@cf-wasm/photon/photon.wasm')
  // The header of an ICO file or of a GIF need not tell the size of what is in it.
  const module = withMemoryLimit(await readFile(file), MAX_MEMORY_MIB)
  await initPhoton({ module_or_path: WebAssembly.compile(module) })
  const image = PhotonImage.new_from_byteslice(bytes)
  const scale = Math.min(1, MAX_EDGE / Math.max(image.get_width(), image.get_height()))
  const edge = (length: number) => Math.max(1, Math.round(length * scale))
  return resize(image, edge(image.get_width()), edge(image.get_height()), SamplingFilter.Lanczos3).get_bytes()
}

parentPort?.postMessage(await convert(workerData))
