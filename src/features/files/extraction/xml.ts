import { Parser } from 'htmlparser2'
import type { Archive } from './zip.ts'

/** What happens at the parts of an XML document. Names are without prefixes. */
export interface XmlHandler {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Reads an XML document in an archive piece by piece. The parser knows neither document types nor entities of their own,
 * so nothing expands, and nothing is fetched.
 */
export async function readXml(archive: Archive, name: string, handler: XmlHandler): Promise<void> {
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => handler.open?.(localName(tag), attributes),
      ontext: (text) => handler.text?.(text),
      onclosetag: (tag) => handler.close?.(localName(tag)),
    },
    { xmlMode: true },
  )
  const decoder = new TextDecoder()
  for await (const chunk of archive.read(name)) parser.write(decoder.decode(chunk, { stream: true }))
  parser.end()
}
