import iconv from 'iconv-lite'
import { InvalidInput, printable } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'

export interface Encoding {
  /** As the web and people call it, such as windows-1251. */
  name: string
  /** Its name in iconv-lite. */
  codec: string
  /** Other names, in lower case without punctuation. */
  aliases: string[]
  /** Whether a character may be several bytes. */
  isMultibyte: boolean
}

const encoding = (name: string, codec: string, aliases: string[] = [], isMultibyte = false): Encoding => ({
  name,
  codec,
  aliases: [plain(name), plain(codec), ...aliases],
  isMultibyte,
})

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const UNICODE = [
  encoding('utf-8', 'utf8', ['utf8bom', 'utf8sig', 'unicode'], true),
  encoding('utf-16le', 'utf-16le', ['utf16', 'ucs2', 'unicodetext'], true),
  encoding('utf-16be', 'utf-16be', [], true),
  encoding('utf-32le', 'utf-32le', ['utf32'], true),
  encoding('utf-32be', 'utf-32be', [], true),
]

const windows = (page: number): Encoding => {
  const latin1 = page === 1252 ? ['latin1', 'iso88591', 'ansi', 'ascii', 'usascii'] : []
  return encoding(`windows-${page}`, `win${page}`, [`cp${page}`, ...latin1])
}

const iso = (part: number): Encoding =>
  encoding(`iso-8859-${part}`, `iso8859${part}`, part <= 4 ? [`latin${part}`] : [])

const dos = (page: number): Encoding =>
  encoding(`cp${page}`, `cp${page}`, [`ibm${page}`, `dos${page}`, `${page}`])

/** The encodings that a file may be in. */
const ENCODINGS: readonly Encoding[] = [
  ...UNICODE,
  ...[1252, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258, 874].map(windows),
  ...[2, 3, 4, 5, 6, 7, 8, 13, 15, 16].map(iso),
  encoding('iso-8859-9', 'iso88599', ['latin5']),
  ...[437, 737, 775, 850, 852, 855, 857, 858, 866].map(dos),
  encoding('koi8-r', 'koi8r'),
  encoding('koi8-u', 'koi8u'),
  encoding('macintosh', 'macroman', ['mac', 'xmacroman']),
  encoding('x-mac-cyrillic', 'maccyrillic'),
  encoding('gb18030', 'gb18030', ['gbk', 'gb2312', 'cp936', 'chinese'], true),
  encoding('big5', 'big5', ['big5hkscs', 'cp950'], true),
  encoding('shift_jis', 'shiftjis', ['sjis', 'cp932', 'ms932', 'windows31j'], true),
  encoding('euc-jp', 'eucjp', [], true),
  encoding('euc-kr', 'cp949', ['euckr', 'uhc', 'ksc56011987'], true),
]

/** The names of the encodings that a person can choose. */
export const ENCODING_NAMES: readonly string[] = ENCODINGS.map(({ name }) => name)

/** @throws InvalidInput if the encoding is unknown; the message lists the known ones */
export function encodingNamed(name: string): Encoding {
  const wanted = plain(name)
  const found = ENCODINGS.find(({ aliases }) => aliases.includes(wanted))
  if (found) return found
  throw new InvalidInput(
    `encoding "${truncate(printable(name), 40)}" is unknown. The known ones are ${ENCODING_NAMES.join(', ')}.`,
  )
}

/** Decodes a text that is read in blocks. The byte order mark is left out. */
export interface BlockDecoder {
  write(block: Buffer): string
  end(): string
}

export function blockDecoder({ codec }: Encoding): BlockDecoder {
  const decoder = iconv.getDecoder(codec, { stripBOM: true })
  return { write: (block) => decoder.write(block), end: () => decoder.end() ?? '' }
}

export const decode = (bytes: Buffer, { codec }: Encoding): string => iconv.decode(bytes, codec)

export const encode = (text: string, { codec }: Encoding): Buffer => iconv.encode(text, codec)
