import { buffer } from 'node:stream/consumers'
import { utils, write } from '@e965/xlsx'
import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js'
import PDFDocument from 'pdfkit'
import { ZipFile } from 'yazl'

/** A PDF with a text on each page. */
export async function pdf(pages: string[], options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, ...options })
  const content = buffer(document)
  for (const page of pages) {
    document.addPage()
    document.text(page)
  }
  document.end()
  return content
}

/** A ZIP archive with these files, in this order. */
export async function zip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name)
  archive.end()
  return buffer(archive.outputStream)
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

const contentTypes = (part: string, type: string) =>
  `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/></Types>`

const relations = (list: { id: string; type: string; target: string; mode?: string }[]) =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(
      ({ id, type, target, mode }) =>
        `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
    )
    .join('')}</Relationships>`

/** A Word document with this body, such as `<w:p><w:r><w:t>Text</w:t></w:r></w:p>`. */
export const docx = (body: string, others: Record<string, string | Buffer> = {}): Promise<Buffer> =>
  zip({
    '[Content_Types].xml': contentTypes('word/document.xml', 'wordprocessingml.document.main'),
    '_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' }]),
    'word/document.xml': `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
      xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}</w:body></w:document>`,
    ...others,
  })

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

const shape = (text: string) =>
  `<p:sld xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
    xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody>${text
      .split('\n')
      .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
      .join(
        '',
      )}<a:p><a:fld type="slidenum"><a:t>99</a:t></a:fld></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`

/** A presentation whose slides are stored in the opposite order. */
export function pptx(slides: { text: string; notes?: string }[]): Promise<Buffer> {
  const files: Record<string, string> = {
    '[Content_Types].xml': contentTypes('ppt/presentation.xml', 'presentationml.presentation.main'),
    '_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' }]),
    'ppt/presentation.xml': `${XML}<p:presentation xmlns:r="${RELATIONS}"
      xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:sldIdLst>${slides
        .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`)
        .join('')}</p:sldIdLst></p:presentation>`,
  }
  const nameOf = (index: number) => `slide${slides.length - index}.xml`
  files['ppt/_rels/presentation.xml.rels'] = relations(
    slides.map((_, index) => ({ id: `rId${index + 1}`, type: 'slide', target: `slides/${nameOf(index)}` })),
  )
  for (const [index, { text, notes }] of slides.entries()) {
    files[`ppt/slides/${nameOf(index)}`] = shape(text)
    if (!notes) continue
    files[`ppt/notesSlides/notes${index}.xml`] = shape(notes)
    files[`ppt/slides/_rels/${nameOf(index)}.rels`] = relations([
      { id: 'rId1', type: 'notesSlide', target: `../notesSlides/notes${index}.xml` },
      { id: 'rId2', type: 'notesSlide', target: 'file:///etc/passwd', mode: 'External' },
    ])
  }
  return zip(files)
}

/** A workbook of any format that the library writes. */
export function workbook(sheets: Record<string, unknown[][]>, bookType: 'xlsx' | 'ods' | 'biff8'): Buffer {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  return write(book, { type: 'buffer', bookType })
}

/** An email with an HTML alternative and an attachment. */
export const eml = (attachment = 'name,price\nlens,7', subject = 'Angebot f=C3=BCr Linsen'): Buffer =>
  Buffer.from(
    [
      'From: Ada Vik <ada@vik.example>',
      'To: Team <deals@example.com>, ben@example.com',
      `Subject: =?utf-8?Q?${subject.replaceAll(' ', '_')}?=`,
      'Date: Tue, 03 Mar 2026 10:15:00 +0100',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="outer"',
      '',
      '--outer',
      'Content-Type: multipart/alternative; boundary="inner"',
      '',
      '--inner',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'We offer photonic lenses.',
      '--inner',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Only in HTML</p>',
      '--inner--',
      '--outer',
      'Content-Type: text/csv; name="prices.csv"',
      'Content-Disposition: attachment; filename="prices.csv"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(attachment).toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--outer--',
      '',
    ].join('\r\n'),
  )

/** What a compound file of old Office programs holds: streams, and folders of them. */
interface Folder {
  [name: string]: Buffer | Folder
}

const [DIRECTORY, DOCUMENT, ROOT] = [1, 2, 5]

/** A compound file of old Office programs. */
export function compoundFile(content: Folder): Buffer {
  const entries: Entry[] = []
  const add = (name: string, type: number, folder: Folder): number => {
    const entry: Entry = { name, type, length: 0, children: [] }
    const index = entries.push(entry) - 1
    entry.children = Object.entries(folder).map(([child, value]) =>
      Buffer.isBuffer(value)
        ? entries.push({
            name: child,
            type: DOCUMENT as number,
            length: value.length,
            // It takes the whole memory behind an array.
            binaryProvider: () => new Uint8Array(value),
          }) - 1
        : add(child, DIRECTORY as number, value),
    )
    return index
  }
  add('Root Entry', ROOT as number, content)
  return Buffer.from(burn(entries))
}

const text = (value: string) => Buffer.from(value, 'utf16le')
const property = (tag: string) => `__substg1.0_${tag}001F`

/** An email of Outlook with an attachment. */
export const msg = (): Buffer =>
  compoundFile({
    '__properties_version1.0': Buffer.alloc(32),
    [property('0037')]: text('Offer for lenses'),
    [property('0C1A')]: text('Ada Vik'),
    [property('5D01')]: text('ada@vik.example'),
    [property('1000')]: text('We offer photonic lenses.'),
    '__recip_version1.0_#00000000': {
      '__properties_version1.0': Buffer.alloc(8),
      [property('3001')]: text('Ben'),
      [property('39FE')]: text('ben@example.com'),
    },
    '__attach_version1.0_#00000000': {
      '__properties_version1.0': Buffer.alloc(8),
      [property('3707')]: text('prices.csv'),
      [property('370E')]: text('text/csv'),
      '__substg1.0_37010102': Buffer.from('name,price'),
    },
  })
