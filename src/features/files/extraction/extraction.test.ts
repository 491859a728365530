import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { slow } from '#src/testing/slow.ts'
import { compoundFile, docx, eml, msg, paragraph, pdf, pptx, workbook, zip } from './documents.fixture.ts'
import { extractAttachment, extractText } from './extract.ts'
import type { Extraction, Format } from './types.ts'
import { FORMATS } from './types.ts'

let folder: string
let files = 0
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'extraction-'))
})
after(() => rmSync(folder, { recursive: true }))

function save(content: Buffer | string): string {
  const file = path.join(folder, String(files++))
  writeFileSync(file, content)
  return file
}

const typeOf = (format: Format): string =>
  Object.entries(FORMATS).find(([, other]) => other === format)?.[0] as string

const extract = (
  content: Buffer | string,
  format: Format,
  options?: Parameters<typeof extractText>[1],
): Promise<Extraction> => extractText({ path: save(content), type: typeOf(format) }, options)

const noText = (text_state: Extraction['text_state'], text_detail: string) => ({
  text_state,
  text_detail,
  pages: null,
  texts: [],
  details: null,
})
const PASSWORD = noText('encrypted', 'It is protected with a password.')
const DAMAGED = noText('unreadable', 'It cannot be read. It may be damaged, or not be what its name says.')

test('a PDF has the text of each page', async () => {
  const found = await extract(await pdf(['Photonic lenses', 'Märkte für Größe', '']), 'pdf')
  assert.deepEqual(found, {
    text_state: 'done',
    text_detail: null,
    pages: 3,
    texts: ['Photonic lenses', 'Märkte für Größe', ''],
    details: null,
  })
})

test('a PDF with a password is encrypted, one that anyone may open is not, and one without text may be a scan', async () => {
  assert.deepEqual(await extract(await pdf(['Secret'], { userPassword: 'x' }), 'pdf'), PASSWORD)
  assert.deepEqual((await extract(await pdf(['Open'], { ownerPassword: 'x' }), 'pdf')).texts, ['Open'])
  assert.deepEqual(await extract(await pdf(['', '']), 'pdf'), {
    ...noText('none', 'It has no text. It may be a scan.'),
    pages: 2,
  })
})

test('of a long PDF, the first 2,000 pages are read', async () => {
  const pages = Array.from({ length: 2010 }, (_, index) => `p${index + 1}`)
  const found = await extract(await pdf(pages, { compress: false }), 'pdf', { timeoutMs: 60_000 })
  assert.equal(found.pages, 2010)
  assert.match(found.text_detail as string, /^Only the first [\d,]+ of its 2,010 pages can be searched\.$/)
  assert.equal(found.texts[41], 'p42')
})

test('a Word document has the pages that Word had, without deleted text and without what is there twice', async () => {
  const broken = '<w:p><w:r><w:lastRenderedPageBreak/><w:t>Second</w:t></w:r></w:p>'
  const deleted = '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t></w:r></w:p>'
  const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`
  const twice = `<mc:AlternateContent><mc:Choice>${box('Box')}</mc:Choice><mc:Fallback>${box('Box')}</mc:Fallback></mc:AlternateContent>`
  const forced = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
  const footnotes = `<w:footnotes><w:footnote>${paragraph('A footnote')}</w:footnote></w:footnotes>`
  const file = await docx(`${paragraph('Fish &amp; Größe')}${twice}${forced}${broken}${deleted}`, {
    'word/footnotes.xml': footnotes,
  })
  const { pages, texts } = await extract(file, 'word')
  assert.deepEqual([pages, texts], [2, ['Fish & Größe\nBox', 'Second\nkept\nA footnote']])
  const unsaved = await docx(`${paragraph('One')}${forced}${paragraph('Two')}`)
  assert.deepEqual((await extract(unsaved, 'word')).texts, ['One', 'Two'])
})

test('a presentation has its slides in their order, with notes and without numbers of slides', async () => {
  const file = await pptx([
    { text: 'Team' },
    { text: 'Market\nSize', notes: 'Say it slowly' },
    { text: 'Ask' },
  ])
  const { pages, texts } = await extract(file, 'presentation')
  assert.deepEqual([pages, texts], [3, ['Team', 'Market\nSize\n\nSay it slowly', 'Ask']])
})

test('a workbook has a page for each sheet, which begins with its name', async () => {
  const sheets = {
    Costs: [
      ['Rent', 1200.5],
      ['Since', '2026-03-01'],
    ],
    Empty: [[]],
    Sales: [['Lenses', 7]],
  }
  for (const bookType of ['xlsx', 'ods'] as const)
    assert.deepEqual(
      (await extract(workbook(sheets, bookType), 'workbook')).texts,
      ['Costs\nRent 1200.5\nSince 2026-03-01', 'Empty', 'Sales\nLenses 7'],
      bookType,
    )
  assert.deepEqual((await extract(workbook(sheets, 'biff8'), 'ole')).texts[2], 'Sales\nLenses 7')
  const long = { Long: Array.from({ length: 20_000 }, (_, row) => [`value ${row}`]) }
  const found = await extract(workbook(long, 'xlsx'), 'workbook')
  assert.match(found.text_detail as string, /^Only the first 100,000 characters of each sheet/)
})

test('a text is decoded, and a long one is divided at the ends of lines', async () => {
  assert.deepEqual((await extract('# Größe\r\n\r\nTwo\0', 'text')).texts, ['# Größe\n\nTwo'])
  const latin = Buffer.from('Die Größe für Öl und Äpfel in Zürich'.repeat(20), 'latin1')
  assert.match((await extract(latin, 'text')).texts[0] as string, /^Die Größe für Öl/)
  assert.deepEqual((await extract(Buffer.from('\ufeffUTF sixteen', 'utf16le'), 'text')).texts, [
    'UTF sixteen',
  ])
  const found = await extract(`${'word '.repeat(10)}\n`.repeat(10_000), 'text')
  assert.equal(found.texts.join('').length > 390_000, true)
  assert.equal(
    found.texts.every((text) => text.length <= 100_000 && text.endsWith('word')),
    true,
  )
  assert.equal(found.text_detail, 'Only its first 400,000 characters can be searched.')
  assert.deepEqual(await extract('\n \n', 'text'), { ...noText('none', 'It has no text.'), pages: 1 })
})

test('a web page is its text', async () => {
  const page =
    '<!doctype html><title>Lenses</title><style>p {}</style><script>alert("no")</script><p>One<b>Word</b> &amp;<td>a<td>b<svg onload=x><text>no</text></svg>'
  assert.deepEqual((await extract(page, 'html')).texts, ['Lenses\n\nOneWord & a b'])
})

const EMAIL_TEXT = 'We offer photonic lenses.\n\nprices.csv'

test('an email has its header, its text, and its attachments', async () => {
  const found = await extract(eml(), 'email')
  assert.deepEqual(found.details, {
    kind: 'email',
    subject: 'Angebot für Linsen',
    from: 'Ada Vik <ada@vik.example>',
    to: ['Team <deals@example.com>', 'ben@example.com'],
    date: '2026-03-03T09:15:00.000Z',
    attachments: [{ name: 'prices.csv', type: 'text/csv', size: 17 }],
  })
  assert.deepEqual(found.texts, [
    `Angebot für Linsen\nAda Vik <ada@vik.example>\nTeam <deals@example.com>, ben@example.com\n\n${EMAIL_TEXT}`,
  ])
  const page = 'Subject: Hi\r\nContent-Type: text/html\r\n\r\n<p>Only <b>HTML</b></p>'
  assert.deepEqual((await extract(page, 'email')).texts, ['Hi\n\nOnly HTML'])
})

test('an email of Outlook has the same', async () => {
  const found = await extract(msg(), 'ole')
  assert.deepEqual(found.details, {
    kind: 'email',
    subject: 'Offer for lenses',
    from: 'Ada Vik <ada@vik.example>',
    to: ['Ben <ben@example.com>'],
    date: null,
    attachments: [{ name: 'prices.csv', type: 'text/csv', size: 10 }],
  })
  assert.match(found.texts[0] as string, new RegExp(EMAIL_TEXT))
})

test('names of attachments are those of files, without folders and directions', async () => {
  const named = async (name: string) => {
    const { details } = await extract(String(eml()).replaceAll('prices.csv', name), 'email')
    return details?.kind === 'email' && details.attachments[0]?.name
  }
  assert.equal(await named('../../a\u202efdp.exe'), 'afdp.exe')
  assert.equal(await named('../..'), 'attachment')
})

test('attachments are read one by one', async () => {
  const email = { path: save(eml()), type: 'message/rfc822' }
  assert.equal(String(await extractAttachment(email, 0)), 'name,price\nlens,7')
  assert.equal(await extractAttachment(email, 1), null)
  const outlook = { path: save(msg()), type: 'application/x-cfb' }
  assert.equal(String(await extractAttachment(outlook, 0)), 'name,price')
  assert.equal(await extractAttachment(outlook, 1), null)
})

test('an archive is listed and not unpacked', async () => {
  const plain = await zip({
    'a/deck.pdf': 'x',
    'up/b.txt': 'yy',
    'inner.zip': await zip({ 'c.txt': 'z' }),
    'a\u202efdp.exe': '',
  })
  const file = Buffer.from(plain.toString('latin1').replaceAll('up/b.txt', '../b.txt'), 'latin1')
  const { details, text_state } = await extract(file, 'archive')
  assert.equal(text_state, 'none')
  assert.deepEqual(details, {
    kind: 'archive',
    entries: [
      { name: 'a/deck.pdf', size: 1 },
      { name: '../b.txt', size: 2 },
      { name: 'inner.zip', size: 120 },
      { name: 'afdp.exe', size: 0 },
    ],
    total: 4,
  })
})

test('files with the same name in an archive are listed and counted one by one', async () => {
  const plain = await zip({ 'a.txt': '1', 'b.txt': '22', folder0: '' })
  const names = plain.toString('latin1').replaceAll('b.txt', 'a.txt').replaceAll('folder0', 'folder/')
  const file = Buffer.from(names, 'latin1')
  const { details } = await extract(file, 'archive')
  const entries = [1, 2].map((size) => ({ name: 'a.txt', size }))
  assert.deepEqual(details, { kind: 'archive', entries, total: 2 })
})

test('documents of old Office programs say what to do', async () => {
  const encrypted = compoundFile({ EncryptionInfo: Buffer.alloc(8), EncryptedPackage: Buffer.alloc(64) })
  assert.deepEqual(await extract(encrypted, 'ole'), PASSWORD)
  const found = await extract(compoundFile({ WordDocument: Buffer.alloc(64) }), 'ole')
  assert.equal(found.text_state, 'none')
  assert.match(found.text_detail as string, /Word 97 to 2003 is not read\. Save it as DOCX or PDF/)
  assert.deepEqual(await extract(compoundFile({ Other: Buffer.alloc(64) }), 'ole'), DAMAGED)
})

test('a file that is damaged, or of another format, is unreadable', async () => {
  const whole = {
    pdf: await pdf(['x']),
    word: await docx(paragraph('x')),
    presentation: await pptx([{ text: 'x' }]),
    workbook: workbook({ A: [['x']] }, 'xlsx'),
    ole: msg(),
    archive: await zip({ a: 'x' }),
  }
  for (const [format, content] of Object.entries(whole)) {
    const read = async (bytes: Buffer) => (await extract(bytes, format as Format)).text_state
    assert.notEqual(await read(content.subarray(0, content.length / 2)), 'done', `half a ${format}`)
    assert.equal(await read(Buffer.alloc(5000, 'not it ')), 'unreadable', format)
    assert.equal(await read(Buffer.alloc(0)), 'unreadable', `an empty ${format}`)
  }
  assert.equal((await extractText({ path: save('x'), type: 'image/png' })).text_state, 'none')
})

test('a bomb is unreadable, whatever it states', async () => {
  const large = Buffer.alloc(60 * 1024 * 1024, 'a')
  const document = await docx('', { 'word/footnotes.xml': large })
  assert.match((await extract(document, 'word')).text_detail as string, /^It unpacks to more than 50 MB/)
  const lying = Buffer.from(document)
  // The size in the directory, and the one before the content.
  for (let at = lying.indexOf('PK'); at >= 0; at = lying.indexOf('PK', at + 2)) {
    const field = lying.readUInt16LE(at + 2) === 0x0201 ? at + 24 : at + 22
    if (field < lying.length - 4 && lying.readUInt32LE(field) === large.length) lying.writeUInt32LE(9, field)
  }
  assert.deepEqual(await extract(lying, 'word'), DAMAGED)
  const entities = `<!DOCTYPE x [<!ENTITY a "${'lol '.repeat(100)}">]><w:document><w:t>${'&a;'.repeat(1000)}</w:t></w:document>`
  const expanded = await extract(await zip({ 'word/document.xml': entities }), 'word')
  assert.equal(expanded.texts.join('').includes('lol'), false)
})

test('a page that inflates to gigabytes ends its thread, not the process', { skip: slow }, async () => {
  // Each filter inflates what the one before it gave.
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024)).subarray(10, -8)
  const zlib = (raw: Buffer) => Buffer.concat([Buffer.from([0x78, 0x9c]), raw, Buffer.alloc(4)])
  const stream = zlib(bomb)
  const parts = [
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n',
    '3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>endobj\n',
    `4 0 obj<</Length ${stream.length}/Filter/FlateDecode>>stream\n`,
    stream,
    '\nendstream endobj\ntrailer<</Root 1 0 R>>',
  ]
  const file = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const found = await extract(file, 'pdf')
  assert.ok(['unreadable', 'timed_out', 'none'].includes(found.text_state), found.text_state)
})

test('nothing outside of a file is read, and nothing is fetched', async () => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end('FETCHED')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`
  const secret = save('SECRET')
  const entity = (target: string) =>
    `<!DOCTYPE x [<!ENTITY e SYSTEM "${target}">]><w:document><w:t>a&e;b</w:t></w:document>`
  const page = `<script src="${url}"></script><iframe src="${url}"></iframe><img src="${url}"><link rel=stylesheet href="${url}">x`
  const hostile: [Buffer | string, Format][] = [
    [await zip({ 'word/document.xml': entity(url) }), 'word'],
    [await zip({ 'word/document.xml': entity(`file://${secret}`) }), 'word'],
    [await pptx([{ text: 'x', notes: 'y' }]), 'presentation'],
    [page, 'html'],
    [`Subject: x\r\nContent-Type: text/html\r\n\r\n${page}`, 'email'],
    [
      `Subject: x\r\nContent-Type: message/external-body; access-type=URL; URL="${url}"\r\n\r\nContent-Type: text/plain\r\n\r\n`,
      'email',
    ],
    [
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${url})>>>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>endobj\n4 0 obj<</Length 0/F(${secret})>>stream\n\nendstream endobj\ntrailer<</Root 1 0 R>>`,
      'pdf',
    ],
  ]
  for (const [content, format] of hostile) {
    const found = await extract(content, format)
    assert.doesNotMatch(JSON.stringify(found), /FETCHED|SECRET|root:/, format)
  }
  server.close()
  assert.equal(requests, 0)
})

test('reading that takes too long is ended, and so is reading that is stopped', async () => {
  const file = await pdf(['x'])
  assert.deepEqual(
    await extract(file, 'pdf', { timeoutMs: 1 }),
    noText('timed_out', 'Reading it takes longer than 10 seconds.'),
  )
  const stop = new AbortController()
  const reading = extract(file, 'pdf', { signal: stop.signal })
  stop.abort(new Error('stopped'))
  await assert.rejects(reading, /stopped/)
  assert.deepEqual((await extract(file, 'pdf')).texts, ['x'])
})
