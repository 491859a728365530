import PDFDocument from 'pdfkit'

/** A PDF with a word of its own on each page: `page1word`, `page2word`, … */
export function deck(title: string, pages: number): Promise<Buffer<ArrayBuffer>> {
  const pdf = new PDFDocument({ size: [640, 360], info: { Title: title } })
  const chunks: Buffer[] = []
  for (let page = 1; page <= pages; page++) {
    if (page > 1) pdf.addPage()
    pdf.rect(0, 0, 640, 60).fill('#205d74')
    pdf.fill('#222').fontSize(24).text(`${title}: page${page}word`, 40, 100)
  }
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
    pdf.end()
  })
}
