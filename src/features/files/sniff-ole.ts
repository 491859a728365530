import type { FileHandle } from 'node:fs/promises'

const UNKNOWN = 'application/x-cfb'
const ENTRY_BYTES = 128
const HEADER_BYTES = 512
/** The sectors of the directory that are read: with the smallest sectors, 1024 entries. */
const MAX_SECTORS = 256
/** Larger numbers mean that there is no sector. */
const MAX_SECTOR = 0xfffffffa

/** What the root of a compound file contains, by type. An encrypted workbook, document, or presentation stays unknown. */
const TYPES: [entry: RegExp, type: string][] = [
  [/^__(?:properties_version1\.0|nameid_version1\.0)$/, 'application/vnd.ms-outlook'],
  [/^EncryptedPackage$/, UNKNOWN],
  [/^PowerPoint Document$/, 'application/vnd.ms-powerpoint'],
  [/^WordDocument$/, 'application/msword'],
  [/^(?:Workbook|Book)$/, 'application/vnd.ms-excel'],
]

/**
 * The media type of a compound file (OLE): an Outlook message, or a document of old Office programs, by the names in its
 * directory ([MS-CFB], section 2.6).
 */
export async function sniffOle(handle: FileHandle, header: Buffer, size: number): Promise<string> {
  if (header.length < HEADER_BYTES) return UNKNOWN
  const names = await readNames(handle, header, size)
  return TYPES.find(([entry]) => names.some((name) => entry.test(name)))?.[1] ?? UNKNOWN
}

async function readNames(handle: FileHandle, header: Buffer, size: number): Promise<string[]> {
  const sectorBytes = 2 ** header.readUInt16LE(30)
  if (sectorBytes !== 512 && sectorBytes !== 4096) return []
  const read = async (sector: number): Promise<Buffer | undefined> => {
    const at = (sector + 1) * sectorBytes
    if (sector > MAX_SECTOR || at + ENTRY_BYTES > size) return undefined
    const content = Buffer.alloc(sectorBytes)
    const { bytesRead } = await handle.read(content, 0, sectorBytes, at)
    return content.subarray(0, bytesRead)
  }
  const next = async (sector: number): Promise<number> => {
    const perSector = sectorBytes / 4
    const index = Math.floor(sector / perSector)
    // The header lists the first 109 sectors of the table, enough for the directory of any file of 100 MB in practice.
    if (index >= 109) return MAX_SECTOR + 1
    const table = await read(header.readUInt32LE(76 + 4 * index))
    const at = (sector % perSector) * 4
    return table && at + 4 <= table.length ? table.readUInt32LE(at) : MAX_SECTOR + 1
  }
  const names: string[] = []
  let sector = header.readUInt32LE(48)
  for (let count = 0; count < MAX_SECTORS; count++) {
    const content = await read(sector)
    if (!content) break
    for (let at = 0; at + ENTRY_BYTES <= content.length; at += ENTRY_BYTES) names.push(nameAt(content, at))
    sector = await next(sector)
  }
  return names
}

function nameAt(directory: Buffer, at: number): string {
  const bytes = Math.min(directory.readUInt16LE(at + 64), 64)
  return directory.toString('utf16le', at, at + Math.max(0, bytes - 2))
}
