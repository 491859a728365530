import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createZstdDecompress } from 'node:zlib'
import { Decrypter } from 'age-encryption'
import { type Header as EntryHeader, extract } from 'tar-stream'
import { BackupRefused } from './backup-refused.ts'
import {
  contentOf,
  FORMAT,
  HEADER_PART,
  type Header,
  MANIFEST_PART,
  type Manifest,
  PRODUCT,
} from './manifest.ts'

/** In a busy process, each chunk waits for its turn. */
const CHUNK_BYTES = 256 * 1024
const AGE_MAGIC = 'age-encryption.org/v1'
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** What reads a backup. All get their parts in the order of the archive. */
export interface PartVisitor {
  header?(header: Header): Promise<void> | void
  rows?(table: string, json: Buffer): Promise<void> | void
  /** The content can be read once, to its end. */
  file?(key: string, size: number, content: AsyncIterable<Buffer>): Promise<void>
}

/** Opens a backup for `readArchive`. */
export const openArchive = (file: string): Readable => createReadStream(file, { highWaterMark: CHUNK_BYTES })

/**
 * Reads a backup to its end and checks every part.
 * @throws BackupRefused if it is no backup, damaged, incomplete, of a newer version, or encrypted with another passphrase
 */
export async function readArchive(
  input: Readable,
  passphrase: string | undefined,
  visitor: PartVisitor = {},
): Promise<{ header: Header; manifest: Manifest }> {
  let header: Header | undefined
  let manifest: Manifest | undefined
  const parts: Manifest['parts'] = []
  for await (const { name, size, body } of entriesOf(await decompressed(input, passphrase))) {
    if (!header) {
      header = parseHeader(name, await buffer(body))
      await visitor.header?.(header)
    } else if (name === MANIFEST_PART) manifest = JSON.parse((await buffer(body)).toString()) as Manifest
    else {
      if (manifest) throw damaged()
      parts.push({ name, bytes: size, sha256: await readPart(name, size, body, visitor) })
    }
  }
  if (!header || !manifest) throw incomplete()
  if (JSON.stringify(parts) !== JSON.stringify(manifest.parts)) throw damaged()
  return { header, manifest }
}

/** Reads a part, of which rows are held as a whole, and files are not. Returns its checksum. */
async function readPart(
  name: string,
  size: number,
  body: AsyncIterable<Buffer>,
  visitor: PartVisitor,
): Promise<string> {
  const hash = createHash('sha256')
  const content = hashed(body, hash)
  const part = contentOf(name)
  if (part && 'file' in part) await visitor.file?.(part.file, size, content)
  else if (part && visitor.rows) await visitor.rows(part.table, await buffer(content))
  // What nobody wants is read for its checksum.
  for await (const _chunk of content);
  return hash.digest('hex')
}

async function* hashed(body: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
}

const damaged = (cause?: unknown) =>
  new BackupRefused('The backup is damaged: its content does not match its checksums. Use another one.', {
    cause,
  })
const incomplete = () =>
  new BackupRefused('The backup is incomplete: its end is missing. Copy it again, or use another one.')
const foreign = () => new BackupRefused('The file is not a backup of deal-pipeline.')

function parseHeader(name: string, content: Buffer): Header {
  let header: Header
  try {
    header = JSON.parse(content.toString()) as Header
  } catch {
    throw foreign()
  }
  if (name !== HEADER_PART || header.product !== PRODUCT) throw foreign()
  if (header.format > FORMAT)
    throw new BackupRefused(
      `The backup was made by version ${header.version}, whose format this version does not know. Restore it with that version or a newer one.`,
    )
  return header
}

interface Entry {
  name: string
  size: number
  body: AsyncIterable<Buffer>
}

async function* entriesOf(archived: Readable): AsyncGenerator<Entry> {
  const archive = extract()
  const read = pipeline(archived, archive)
  read.catch(() => {})
  try {
    for await (const entry of archive as AsyncIterable<Readable & { header: EntryHeader }>) {
      const { name, size = 0 } = entry.header
      yield { name, size, body: explaining(entry) }
    }
    await read
  } catch (error) {
    throw explained(error)
  }
}

async function* explaining(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* entry
  } catch (error) {
    throw explained(error)
  }
}

/** Errors of the decompressor, the decryption, and the archive are those of a damaged or cut file. */
function explained(error: unknown): unknown {
  if (error instanceof BackupRefused) return error
  const { code = '', message, syscall } = error as NodeJS.ErrnoException
  // The file cannot be read, whatever its name is.
  if (syscall) return error
  if (/unexpected end|premature close/i.test(`${code} ${message}`) || code === 'Z_BUF_ERROR')
    return incomplete()
  if (code.startsWith('ZSTD_') || /header|checksum|stream|decrypt|chunk|invalid tag|tar/i.test(message))
    return damaged(error)
  return error
}

async function decompressed(input: Readable, passphrase: string | undefined): Promise<Readable> {
  const start = await peek(input, AGE_MAGIC.length)
  const isEncrypted = start.toString('latin1') === AGE_MAGIC
  if (!isEncrypted && !start.subarray(0, 4).equals(ZSTD_MAGIC))
    throw AGE_MAGIC.startsWith(start.toString('latin1')) || ZSTD_MAGIC.subarray(0, start.length).equals(start)
      ? incomplete()
      : foreign()
  const compressed = isEncrypted ? await decrypted(input, passphrase) : input
  const decompressor = createZstdDecompress({ chunkSize: CHUNK_BYTES })
  compressed.on('error', (error) => decompressor.destroy(error))
  return compressed.pipe(decompressor)
}

async function decrypted(body: Readable, passphrase: string | undefined): Promise<Readable> {
  if (passphrase === undefined)
    throw new BackupRefused('The backup is encrypted. Set BACKUP_PASSPHRASE to its passphrase.')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    const plain = await decrypter.decrypt(Readable.toWeb(body) as globalThis.ReadableStream)
    return Readable.fromWeb(plain as ReadableStream)
  } catch (error) {
    if (/no identity matched/i.test((error as Error).message))
      throw new BackupRefused('BACKUP_PASSPHRASE is not the passphrase of this backup.', { cause: error })
    throw explained(error)
  }
}

/** The first bytes of a stream, which stay in it. There are fewer if it ends. */
async function peek(input: Readable, length: number): Promise<Buffer> {
  let start = Buffer.alloc(0)
  while (start.length < length && !input.readableEnded) {
    const chunk = input.read() as Buffer | null
    if (chunk) start = Buffer.concat([start, chunk])
    else await Promise.race([once(input, 'readable'), once(input, 'end')])
  }
  if (start.length > 0 && !input.readableEnded) input.unshift(start)
  return start.subarray(0, length)
}
