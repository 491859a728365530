import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { ZipFile } from 'yazl'
import { sniffType } from './sniff.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-test-'))
})
after(() => rm(folder, { recursive: true }))

const OFFICE = 'application/vnd.openxmlformats-officedocument'

async function typeOf(content: string | Buffer): Promise<string> {
  const file = path.join(folder, 'content')
  await writeFile(file, content)
  return sniffType(file)
}

async function zip(entries: Record<string, string>): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [name, content] of Object.entries(entries)) archive.addBuffer(Buffer.from(content), name)
  archive.end()
  return buffer(archive.outputStream)
}

/** An Office document of today: a ZIP whose content types name its main part. */
const office = (part: string, type: string) =>
  zip({
    '[Content_Types].xml': `<Types><Override PartName="/${part}" ContentType="${OFFICE}.${type}.main+xml"/></Types>`,
    [part]: '<x/>',
  })

/** A compound file with these names in its directory, which is longer than a sector. */
function compound(names: readonly string[]): Buffer {
  const header = Buffer.alloc(512)
  header.write('d0cf11e0a1b11ae1', 'hex')
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(1, 48)
  header.fill(0xff, 76)
  header.writeUInt32LE(0, 76)
  const table = Buffer.alloc(512, 0xff)
  const entries = ['Root Entry', 'a', 'b', 'c', ...names]
  const sectors = Math.ceil(entries.length / 4)
  for (let sector = 1; sector <= sectors; sector++)
    table.writeUInt32LE(sector < sectors ? sector + 1 : 0xfffffffe, sector * 4)
  const directory = Buffer.alloc(sectors * 512)
  for (const [index, name] of entries.entries()) {
    directory.write(name, index * 128, 'utf16le')
    directory.writeUInt16LE((name.length + 1) * 2, index * 128 + 64)
  }
  return Buffer.concat([header, table, directory])
}

test('the content determines the type', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
  const cases: [string | Buffer, string][] = [
    ['%PDF-1.7\n', 'application/pdf'],
    [`\ufeff\n%PDF-1.7\n`, 'application/pdf'],
    [Buffer.from('\ufeff%PDF-1.7 as UTF-16', 'utf16le'), 'text/plain'],
    [png, 'image/png'],
    [await zip({ 'a.txt': 'x' }), 'application/zip'],
    [await office('word/document.xml', 'wordprocessingml.document'), `${OFFICE}.wordprocessingml.document`],
    [
      await office('ppt/presentation.xml', 'presentationml.presentation'),
      `${OFFICE}.presentationml.presentation`,
    ],
    [await office('xl/workbook.xml', 'spreadsheetml.sheet'), `${OFFICE}.spreadsheetml.sheet`],
    [compound(['__properties_version1.0', 'WordDocument']), 'application/vnd.ms-outlook'],
    [compound(['WordDocument']), 'application/msword'],
    [compound(['Workbook']), 'application/vnd.ms-excel'],
    [compound(['PowerPoint Document']), 'application/vnd.ms-powerpoint'],
    [compound(['EncryptedPackage']), 'application/x-cfb'],
    ['Plain text, in UTF-8: é', 'text/plain'],
    [Buffer.from('Caf\xe9 in Latin-1', 'latin1'), 'text/plain'],
    [Buffer.from('\ufeffText in UTF-16', 'utf16le'), 'text/plain'],
    ['# Title\n\nText', 'text/markdown'],
    ['See [the site](https://a.example).', 'text/markdown'],
    ['name,website\nAcme,https://acme.example\n', 'text/plain'],
    [
      'Return-Path: <a@b.example>\r\nFrom: A <a@b.example>\r\n (comment)\r\nSubject: x\r\n\r\nBody',
      'message/rfc822',
    ],
    ['From: me\nIt is a letter.', 'text/plain'],
    ['<3 is a heart', 'text/plain'],
    ['  <!-- <svg> --><!DOCTYPE html><p>', 'text/html'],
    ['<div onclick="x()">', 'text/html'],
    [
      '<?xml version="1.0"?>\n<!DOCTYPE svg><svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>',
      'image/svg+xml',
    ],
    ['<?xml version="1.0"?><note/>', 'application/xml'],
    [Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]), 'application/octet-stream'],
    [Buffer.from('Text with \x00 in it'), 'application/octet-stream'],
    [`${'a'.repeat(65_535)}é and more`, 'text/plain'],
  ]
  for (const [content, type] of cases) assert.equal(await typeOf(content), type, String(content).slice(0, 60))
})

test('files that claim to be several things have the type that their beginning shows, whatever is broken', async () => {
  const archive = await zip({ 'a.svg': '<svg onload="x()"/>' })
  assert.equal(
    await typeOf(Buffer.concat([Buffer.from('%PDF-1.4\n<svg onload="x()">'), archive])),
    'application/pdf',
  )
  assert.equal(await typeOf(Buffer.concat([archive, Buffer.from('%PDF-1.4')])), 'application/zip')
  assert.equal(await typeOf(archive.subarray(0, 20)), 'application/zip')
  assert.equal(await typeOf(compound(['WordDocument']).subarray(0, 700)), 'application/x-cfb')
  const looped = compound(Array.from({ length: 40 }, (_, index) => `n${index}`))
  looped.writeUInt32LE(1, 512 + 4 * 3)
  assert.equal(await typeOf(looped), 'application/x-cfb')
})
