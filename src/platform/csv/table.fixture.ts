import type { ReplayableFile, TemporaryFile, TemporaryFiles } from './replayable-file.ts'
import { openTable, type Table, type TableOptions } from './table.ts'

/** Temporary files in memory. */
export class MemoryFiles implements TemporaryFiles {
  /** Files that have not been closed. */
  open = 0

  async create(): Promise<TemporaryFile> {
    const chunks: Buffer[] = []
    this.open += 1
    return {
      get size() {
        return chunks.reduce((sum, { length }) => sum + length, 0)
      },
      append: async (bytes) => {
        chunks.push(bytes)
      },
      async *read() {
        yield* chunks
      },
      close: async () => {
        this.open -= 1
      },
    }
  }
}

/** Column names that the caller of a table may know. */
const KNOWN = ['name', 'firm', 'website', 'country', 'city', 'revenue', 'tags', 'founded']
export const isColumnName = (name: string): boolean => KNOWN.includes(name.toLowerCase())

export const fileOf = (content: string | Buffer, chunkBytes = 1000): ReplayableFile => {
  const bytes = Buffer.from(content)
  return {
    size: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
    },
  }
}

export const open = (content: string | Buffer, options: Partial<TableOptions> = {}): Promise<Table> =>
  openTable(fileOf(content), { isColumnName, temporary: new MemoryFiles(), ...options })

/** The rows with their cells, the errors and the reasons for which rows are left out as text. */
export async function rowsOf(table: Table): Promise<[row: number, result: string[] | string][]> {
  const rows: [number, string[] | string][] = []
  for await (const records of table.read())
    for (const record of records) {
      if ('message' in record) rows.push([record.row, record.message])
      else rows.push([record.row, 'leftOut' in record ? record.leftOut : record.cells])
    }
  return rows
}
