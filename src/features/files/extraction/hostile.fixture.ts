import { deflateSync } from 'node:zlib'
import type { Random } from '#src/cli/demo/random.ts'
import { docx, eml, msg, paragraph, pdf, pptx, workbook, zip } from './documents.fixture.ts'

const MB = 1024 * 1024
const SCRIPT = 'fetch("/api/companies").then((a) => a.text()).then(alert)'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload='${SCRIPT}'><script>${SCRIPT}</script></svg>`
const HTML = `<!doctype html><html><body onload='${SCRIPT}'><script>${SCRIPT}</script><iframe src="javascript:alert(1)"></iframe>`

const some = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

/** A PDF of these objects, the first of which is its catalog. */
export function rawPdf(objects: (string | Buffer)[]): Buffer {
  const parts = objects.flatMap((object, index) => [`${index + 1} 0 obj`, object, 'endobj\n'])
  return Buffer.concat(
    ['%PDF-1.7\n', ...parts, `trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF`].map((part) =>
      Buffer.from(part),
    ),
  )
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>'
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>'
const ONE_PAGE = '<</Type/Pages/Kids[3 0 R]/Count 1>>'

const stream = (dictionary: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${content.length}>>stream\n`),
    content,
    Buffer.from('\nendstream\n'),
  ])

/** A page whose content inflates to many megabytes. */
export function pdfBomb(megabytes: number, layers: number): Buffer {
  let content: Buffer = deflateSync(Buffer.alloc(megabytes * MB, ' '))
  for (let layer = 1; layer < layers; layer++) content = deflateSync(content)
  const filters = `/Filter[${'/FlateDecode'.repeat(layers)}]`
  return rawPdf([CATALOG, ONE_PAGE, PAGE, stream(filters, content)])
}

function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, n) => `${n + 4} 0 R`).join(' ')
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 3 0 R>>'
  const content = stream('', Buffer.from('BT (x) Tj ET'))
  return rawPdf([
    CATALOG,
    `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
    content,
    ...Array(count).fill(page),
  ])
}

async function nestedZip(depth: number): Promise<Buffer> {
  let inner = await zip({ 'zeros.bin': Buffer.alloc(5 * MB) })
  for (let level = 0; level < depth; level++)
    inner = await zip(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}.zip`, inner])))
  return inner
}

/** An archive that states small sizes for what is large. */
function lying(archive: Buffer, size: number): Buffer {
  const changed = Buffer.from(archive)
  for (let at = 0; at < changed.length - 4; at++)
    if (changed.readUInt32LE(at) === size) changed.writeUInt32LE(9, at)
  return changed
}

const sheet = (content: string): Promise<Buffer> =>
  zip({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" sheetId="1" r:id="r"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': content,
  })

function entities(): string {
  const levels = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`)
  return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${levels.join('')}<!ENTITY file SYSTEM "file:///etc/passwd">]>`
}

function deepEmail(depth: number): string {
  const parts = Array.from(
    { length: depth },
    (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}`,
  )
  return `From: a@example.com\r\nTo: b@example.com\r\nSubject: deep\r\n${parts.join('\r\n')}\r\n\r\nx`
}

const WHOLE: ((random: Random) => Buffer | Promise<Buffer>)[] = [
  () => pdf(['Some text', 'More text']),
  () => docx(paragraph('Some text').repeat(50)),
  () => pptx([{ text: 'Some text', notes: 'Notes' }, { text: 'More' }]),
  () => workbook({ A: [['Some', 'text', 1]] }, 'xlsx'),
  () => workbook({ A: [['Some', 'text', 1]] }, 'ods'),
  () => workbook({ A: [['Some', 'text', 1]] }, 'biff8'),
  () => msg(),
  () => eml(),
  () => zip({ 'a.txt': 'Some text' }),
]

const whole = (random: Random) => (WHOLE[some(random, 0, WHOLE.length - 1)] as (typeof WHOLE)[number])(random)

/** Kinds of hostile files, by the names that they are uploaded with. */
export const HOSTILE: Record<string, (random: Random) => string | Buffer | Promise<string | Buffer>> = {
  'zip-bomb.docx': (random) =>
    docx('', { 'word/footnotes.xml': Buffer.alloc(some(random, 51, 60) * MB, 'a') }),
  'zip-bomb.xlsx': (random) =>
    sheet(
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${' '.repeat(some(random, 30, 60) * MB)}</worksheet>`,
    ),
  'lying.docx': async (random) => {
    const size = some(random, 51, 60) * MB
    return lying(await docx('', { 'word/footnotes.xml': Buffer.alloc(size) }), size)
  },
  'nested.zip': (random) => nestedZip(some(random, 1, 3)),
  'many-entries.zip': (random) =>
    zip(Object.fromEntries(Array.from({ length: some(random, 600, 3000) }, (_, n) => [`${n}`, '']))),
  'many-slides.pptx': (random) =>
    pptx(Array.from({ length: some(random, 300, 700) }, (_, n) => ({ text: `Slide ${n}` }))),
  'entities.docx': () => zip({ 'word/document.xml': `${entities()}<document><t>&l9;&file;</t></document>` }),
  'entities.svg': () => `${entities()}<svg xmlns="http://www.w3.org/2000/svg"><text>&l9;&file;</text></svg>`,
  'deep.docx': (random) => docx('<w:p>'.repeat(some(random, 10_000, 300_000))),
  'bomb.pdf': (random) => pdfBomb(some(random, 50, 400), some(random, 1, 3)),
  'ten-thousand-pages.pdf': (random) => manyPages(some(random, 9000, 11_000)),
  'endless.pdf': () =>
    rawPdf([
      CATALOG,
      '<</Type/Pages/Kids[2 0 R 2 0 R 3 0 R]/Count 2000000000>>',
      '<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 9>>',
    ]),
  'script.pdf': () =>
    rawPdf([
      `<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/AA<</WC<</S/Launch/F(/bin/sh)>>>>>>`,
      ONE_PAGE,
      PAGE,
      stream('', Buffer.from('BT (x) Tj ET')),
    ]),
  'external.pdf': () =>
    rawPdf([
      CATALOG,
      ONE_PAGE,
      PAGE,
      '<</Length 0/F(/etc/passwd)/FFilter/FlateDecode>>stream\n\nendstream\n',
    ]),
  'polyglot.pdf': async () =>
    Buffer.concat([
      rawPdf([CATALOG, ONE_PAGE, PAGE, stream('', Buffer.from(SVG))]),
      await zip({ 'a.svg': SVG }),
    ]),
  'polyglot.zip': async () =>
    Buffer.concat([Buffer.from(`${SVG}\n%PDF-1.4\n`), await zip({ 'a.html': HTML })]),
  'macros.docm': () =>
    docx(paragraph('Enable macros'), {
      'word/vbaProject.bin': Buffer.from('Attribute VB_Name = "AutoOpen"'),
    }),
  'external.docx': () =>
    docx(paragraph('x'), {
      'word/_rels/document.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="file:///etc/passwd" TargetMode="External"/></Relationships>',
    }),
  'script.svg': () => SVG,
  'script.html': () => HTML,
  'script.xhtml': () =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`,
  'picture.png': () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(HTML)]),
  'picture.gif': () => `GIF89a/*${HTML}*/=1;${SCRIPT}`,
  'deck.pdf': () => HTML,
  'letter.docx': () => pdf(['A PDF']),
  'wide.xlsx': () =>
    sheet(
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>',
    ),
  'entities.xlsx': () =>
    sheet(
      `${entities()}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="str"><v>&l9;</v></c></row></sheetData></worksheet>`,
    ),
  'deep.eml': (random) => deepEmail(some(random, 10, 5000)),
  'many-attachments.eml': (random) =>
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Disposition: attachment; filename="../../x.exe"\r\n\r\nx\r\n'.repeat(some(random, 600, 5000))}--b--`,
  'script.eml': () =>
    `From: <script>${SCRIPT}</script>\r\nTo: b@example.com\r\nSubject: ${HTML}\r\nContent-Type: text/html\r\n\r\n${HTML}`,
  'long-header.eml': (random) =>
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: ${'x'.repeat(some(random, 1, 5) * MB)}\r\n\r\nx`,
  'one-line.txt': (random) => 'wörd '.repeat(some(random, 100_000, 600_000)),
  'letters.txt': (random) =>
    Array.from({ length: 400_000 }, () => String.fromCodePoint(some(random, 0x4e00, 0x9000))).join(' '),
  'controls.txt': () => `a\u0000b\u202ec\ufeff\ud800d ${'\u0301'.repeat(10_000)}`,
  '../../x\r\n.txt': () => 'A file with a bad name',
  'random.pdf': (random) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(random, 20_000)]),
  'random.bin': (random) => randomBytes(random, some(random, 1, 50_000)),
  truncated: async (random) => {
    const content = await whole(random)
    return content.subarray(0, some(random, 1, content.length))
  },
  flipped: async (random) => {
    const content = Buffer.from(await whole(random))
    for (let count = some(random, 1, 60); count > 0; count--)
      content[some(random, 0, content.length - 1)] = some(random, 0, 255)
    return content
  },
}

const randomBytes = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => some(random, 0, 255)))
