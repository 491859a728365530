import { type Client, createClient } from '#src/client/client.ts'

/** A file about a company of a thesis, counted from the one with the best score. */
interface DemoFile {
  author: 'ada' | 'ben' | 'chiara'
  company: number
  name: string
  content: (company: string) => string
}

const FILES: Readonly<Record<string, readonly DemoFile[]>> = {
  'WAREHOUSE-ROBOTS': [
    {
      ...{ author: 'ada', company: 0, name: 'Pitch deck.pdf' },
      content: (company) =>
        pdf([
          [company, 'Robots that unload trucks', 'Series A, 2.5 million euros'],
          ['Customers', '3 warehouses in Utrecht and Gent', 'Payback in 19 months'],
          ['Team', '14 people, 9 of them engineers', 'Founded by two roboticists'],
        ]),
    },
    {
      ...{ author: 'ben', company: 2, name: 'Cohorts.csv' },
      content: () =>
        'quarter,customers,retained,revenue_eur\n2025-Q1,4,4,84000\n2025-Q2,7,6,139500\n2025-Q3,11,10,228000\n',
    },
  ],
  'GRID-FLEXIBILITY': [
    {
      ...{ author: 'ben', company: 1, name: 'References.md' },
      content: (company) =>
        `# References for ${company}\n\n- **Municipal utility**: saves 11 % at peak hours, would buy again.\n- **Cold store**: installed in two days.\n- **Water works**: waits for the new firmware.\n`,
    },
  ],
  'CARE-AT-HOME': [
    {
      ...{ author: 'chiara', company: 0, name: 'Terms.txt' },
      content: (company) =>
        `Draft of the terms with ${company}\n\nInstrument: equity\nBoard: one seat for us, one observer\nOpen: the size of the option pool\n`,
    },
  ],
}

/** Uploads invented files about companies. Those that are there stay as they are. */
export async function fillFiles(
  baseUrl: string,
  code: string,
  companies: readonly { id: string; name: string }[],
): Promise<void> {
  for (const { author, company: index, name, content } of FILES[code] ?? []) {
    const company = companies[index]
    if (company)
      await upload(createClient({ baseUrl, headers: userOf(author) }), company, name, content(company.name))
  }
}

const userOf = (author: DemoFile['author']) => ({ 'x-user-email': `${author}@example.com` })

async function upload(client: Client, company: { id: string }, name: string, content: string): Promise<void> {
  const body = new FormData()
  body.append('about', JSON.stringify([{ type: 'company', id: company.id }]))
  body.append('file', new Blob([content]), name)
  await client.uploadFile({ body })
}

/** A PDF with a page for each list of lines, the first of which is its title. Its text is ASCII. */
function pdf(pages: readonly (readonly string[])[]): string {
  const pageNumbers = pages.map((_lines, index) => 4 + 2 * index)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageNumbers.map((number) => `${number} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, index) => [
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 720 405] /Resources << /Font << /F1 3 0 R >> >> ' +
        `/Contents ${5 + 2 * index} 0 R >>`,
      streamOf(lines),
    ]),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

function streamOf(lines: readonly string[]): string {
  const shown = lines.map((line, index) => {
    const ascii = line
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/[\\()]/g, '\\$&')
    return `BT /F1 ${index === 0 ? 40 : 24} Tf 60 ${300 - 60 * index} Td (${ascii}) Tj ET`
  })
  const content = shown.join('\n')
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}
