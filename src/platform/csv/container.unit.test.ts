import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '#src/platform/errors.ts'
import { open } from './table.fixture.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const filler = '\0\x01\x02'.repeat(50)

/** A zip archive of files without content. */
function zipOf(names: string[]): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  for (const name of names) {
    const local = Buffer.alloc(30 + name.length)
    local.write('PK\x03\x04', 'latin1')
    local.writeUInt16LE(name.length, 26)
    local.write(name, 30)
    const entry = Buffer.alloc(46 + name.length)
    entry.write('PK\x01\x02', 'latin1')
    entry.writeUInt16LE(name.length, 28)
    entry.write(name, 46)
    locals.push(local)
    entries.push(entry)
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(Buffer.concat(locals).length, 16)
  return Buffer.concat([...locals, ...entries, end])
}

const REFUSED: [what: RegExp, content: Buffer][] = [
  [/PDF/, bytes(`%PDF-1.7\n${filler}`)],
  [/PNG image/, bytes(`\x89PNG\r\n\x1a\n${filler}`)],
  [/JPEG image/, bytes(`\xff\xd8\xff\xe0${filler}`)],
  [/GIF image/, bytes(`GIF89a${filler}`)],
  [/WebP image/, bytes(`RIFF\x10\0\0\0WEBPVP8 ${filler}`)],
  [/RTF/, bytes('{\\rtf1\\ansi Name}')],
  [/Parquet/, bytes(`PAR1${filler}`)],
  [/SQLite/, bytes(`SQLite format 3\0${filler}`)],
  [/RAR archive\. Unpack it first/, bytes(`Rar!\x1a\x07${filler}`)],
  [/JSON/, bytes('[{"name": "Fjell"}]')],
  [/JSON/, bytes('\xef\xbb\xbf \n{"companies": []}')],
  [/JSON/, bytes('{\n  "name": "Fjell"\n}')],
  [/JSON/, Buffer.from('\ufeff[\n  {"name": "Fjell"}]', 'utf16le')],
  [/HTML page, not a table\. Some tools export HTML under the name \.xls/, bytes('<html><table>')],
  [/HTML/, bytes('\xef\xbb\xbf\r\n  <!DOCTYPE html>\n<html>')],
  [/HTML/, bytes('<TABLE border=1><tr><td>Name</td></tr></TABLE>')],
  [/HTML/, Buffer.from('\ufeff<html>', 'utf16le')],
  [/XML/, bytes('<?xml version="1.0"?><list><firm/></list>')],
  [/Word document/, zipOf(['[Content_Types].xml', 'word/document.xml'])],
  [/PowerPoint/, zipOf(['[Content_Types].xml', 'ppt/presentation.xml'])],
  [/Apple Numbers.*export it as CSV/, zipOf(['Index/Document.iwa', 'preview.jpg'])],
  [/zip archive\. Unpack it first, and upload list\.csv/, zipOf(['list.csv', 'readme'])],
  [/zip archive, not a table/, zipOf(['photo.jpg'])],
  [/damaged or incomplete/, bytes(`PK\x03\x04${filler}`)],
  [
    /password/,
    Buffer.concat([bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), Buffer.from('EncryptedPackage', 'utf16le')]),
  ],
  [
    /Word document/,
    Buffer.concat([bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), Buffer.from('WordDocument', 'utf16le')]),
  ],
  [/empty/, bytes('')],
  [/empty/, bytes(' \n\r\n')],
]

for (const [what, content] of REFUSED)
  test(`${JSON.stringify(content.toString('latin1', 0, 12))} is refused by name: ${what.source}`, async () => {
    await assert.rejects(open(content), (error: Error) => {
      assert.ok(error instanceof InvalidInput)
      assert.match(error.message, what)
      return true
    })
  })

test('text that begins like another file is a table', async () => {
  for (const text of [
    'Name,{x}\nFjell,1\n',
    '[A] Name,City\nFjell,Oslo\n',
    'PKG,City\nFjell,Oslo\n',
    'BMI,City\nFjell,Oslo\n',
    '<Name>,City\nFjell,Oslo\n',
    'GIFT,City\nFjell,Oslo\n',
  ])
    assert.equal((await open(text)).header.length, 2)
})
