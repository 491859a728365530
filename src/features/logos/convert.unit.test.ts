import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createConverter } from './convert.ts'
import { bitmapIco, GIF, ico, png, pngOf, redImage, sizeOf } from './images.fixture.ts'

const converter = createConverter()
const running = new AbortController().signal
const convert = (image: Buffer) => converter(image, running)
let red: Awaited<ReturnType<typeof redImage>>
before(async () => {
  red = await redImage()
})

async function convertedSize(image: Buffer): Promise<[number, number]> {
  const converted = await convert(image)
  assert.ok(converted, 'it was not converted')
  assert.equal(converted.toString('latin1', 0, 4), '\x89PNG')
  return sizeOf(converted)
}

test('PNG, ICO, JPEG, GIF and WebP become PNG', async () => {
  assert.deepEqual(await convertedSize(png(16, 16)), [16, 16])
  assert.deepEqual(await convertedSize(ico(png(32, 32), 32)), [32, 32])
  assert.deepEqual(await convertedSize(bitmapIco()), [16, 16])
  assert.deepEqual(await convertedSize(red.jpeg), [8, 8])
  assert.deepEqual(await convertedSize(red.webp), [8, 8])
  assert.deepEqual(await convertedSize(GIF), [1, 1])
})

test('a large image becomes small and keeps its proportions', async () => {
  assert.deepEqual(await convertedSize(png(180, 180)), [64, 64])
  assert.deepEqual(await convertedSize(png(300, 150)), [64, 32])
  assert.deepEqual(await convertedSize(png(1000, 1)), [64, 1])
})

const UNUSABLE: Record<string, Buffer> = {
  'an empty file': Buffer.alloc(0),
  text: Buffer.from('<!doctype html><title>Not found</title>'),
  SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"></svg>'),
  'half an image': png(64, 64).subarray(0, 70),
  'an image without pixels': pngOf(0, 0, Buffer.alloc(0)),
  'an image with too few pixels': pngOf(64, 64, Buffer.alloc(10)),
  'an ICO file that is larger than it states': ico(png(200, 200), 16),
  'an ICO file without images': Buffer.from([0, 0, 1, 0, 0, 0]),
  random: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1000, 0xa5)]),
}

test('a file that is not a usable image is not converted', async () => {
  for (const [what, bytes] of Object.entries(UNUSABLE)) assert.equal(await convert(bytes), null, what)
  assert.deepEqual(await convertedSize(png(2, 2)), [2, 2], 'the next image is converted')
})

test('an image with many pixels is not decoded, however small its file is', async () => {
  const bomb = pngOf(20_000, 20_000, Buffer.alloc(1_000_000))
  assert.ok(bomb.length < 10_000)
  assert.equal(await convert(bomb), null)
  assert.equal(await convert(pngOf(0x7fffffff, 0x7fffffff, Buffer.alloc(10))), null)
})

test('a conversion that takes too long is stopped', async () => {
  assert.equal(await createConverter(1)(png(64, 64), running), null)
})

test('an image that is larger than its header says is not decoded', async () => {
  // The directory of an ICO file says 0 for all sizes from 256.
  const icon = (edge: number) => ico(pngOf(edge, edge, Buffer.alloc((edge * 4 + 1) * edge)), 0)
  assert.deepEqual(await convertedSize(icon(1024)), [64, 64])
  assert.equal(await convert(icon(5000)), null)
})

test('the largest image that is accepted is converted', async () => {
  assert.deepEqual(await convertedSize(png(2048, 2048)), [64, 64])
})

test('a conversion ends with its signal, and the next one runs', async () => {
  const ended = createConverter()
  const stop = new AbortController()
  const conversions = [ended(png(64, 64), stop.signal), ended(png(64, 64), stop.signal)]
  stop.abort(new Error('stopped'))
  for (const conversion of conversions) await assert.rejects(conversion, /stopped/)
  await assert.rejects(ended(png(64, 64), stop.signal), /stopped/)
  const next = await ended(png(2, 2), running)
  assert.deepEqual(sizeOf(next as Buffer), [2, 2])
})
