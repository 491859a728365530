import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { initPhoton, PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/others'
import { imageSize } from 'image-size'
import { withMemoryLimit } from './memory-limit.ts'

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
