import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { crc32, deflateSync } from 'node:zlib'
import { initPhoton, PhotonImage } from '@cf-wasm/photon/others'

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}

type Color = readonly [red: number, green: number, blue: number, alpha: number]
export const RED: Color = [255, 0, 0, 255]
export const BLUE: Color = [0, 0, 255, 255]

/** A PNG of one color. */
export function png(width: number, height: number, color: Color = RED): Buffer {
  const row = Buffer.concat([Buffer.alloc(1), ...Array<Buffer>(width).fill(Buffer.from(color))])
  return pngOf(width, height, Buffer.concat(Array<Buffer>(height).fill(row)))
}

/** A PNG whose header states this size, whatever its pixels are. */
export function pngOf(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits for each of red, green, blue and alpha.
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** An ICO file with one PNG, and the size that its directory states. */
export function ico(image: Buffer, edge: number): Buffer {
  const directory = Buffer.alloc(22)
  directory.set([0, 0, 1, 0, 1, 0, edge, edge, 0, 0, 1, 0, 32, 0])
  directory.writeUInt32LE(image.length, 14)
  directory.writeUInt32LE(directory.length, 18)
  return Buffer.concat([directory, image])
}

/** An icon of 16 pixels as BMP in an ICO file, as old websites have it. */
export function bitmapIco(color: Color = RED): Buffer {
  const edge = 16
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(edge, 4)
  // The height counts the mask too.
  header.writeInt32LE(edge * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  const [red, green, blue, alpha] = color
  const pixels = Buffer.alloc(edge * edge * 4, Buffer.from([blue, green, red, alpha]))
  const mask = Buffer.alloc(edge * 4)
  return ico(Buffer.concat([header, pixels, mask]), edge)
}

/** The width and height in the header of a PNG. */
export const sizeOf = (image: Buffer): [number, number] => [image.readUInt32BE(16), image.readUInt32BE(20)]

/** One pixel each. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** A red image of 8 × 8 pixels in formats that only a library writes. */
export async function redImage(): Promise<Record<'jpeg' | 'webp', Buffer>> {
  const file = createRequire(import.meta.url).resolve('@cf-wasm/photon/photon.wasm')
  await initPhoton({ module_or_path: WebAssembly.compile(readFileSync(file)) })
  const image = PhotonImage.new_from_byteslice(png(8, 8))
  return { jpeg: Buffer.from(image.get_bytes_jpeg(90)), webp: Buffer.from(image.get_bytes_webp()) }
}
