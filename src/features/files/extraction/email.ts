import { readFile } from 'node:fs/promises'
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { truncate } from '#src/platform/truncate.ts'
import { attachmentName } from '../name.ts'
import { htmlText } from './html.ts'
import { MAX_CHARACTERS, plainText } from './limits.ts'
import { pagesOfText } from './plain-text.ts'
import type { EmailDetails, Extraction } from './types.ts'

const MAX_LINE_LENGTH = 500
const MAX_RECIPIENTS = 100
const MAX_ATTACHMENTS = 500

/** What an email says, before it is shortened. */
export interface Message extends Omit<EmailDetails, 'kind'> {
  text: string
}

/** Reads an email (EML): its header, its text, and a list of its attachments. */
export async function readEmail(path: string): Promise<Extraction> {
  const email = await parse(path)
  return extractionOf({
    subject: email.subject ?? null,
    from: mailboxes(email.from ?? email.sender)[0] ?? null,
    to: (email.to ?? []).flatMap(mailboxes),
    date: email.date ?? null,
    text: email.text?.trim() ? email.text : htmlText((email.html ?? '').slice(0, 4 * MAX_CHARACTERS)),
    attachments: email.attachments.map((attachment) => ({
      name: attachment.filename ?? 'attachment',
      type: attachment.mimeType,
      size: bytesOf(attachment).length,
    })),
  })
}

/** The content of an attachment of an email; undefined: there is none at this place. */
export async function readEmailAttachment(path: string, index: number): Promise<Uint8Array | undefined> {
  const attachment = (await parse(path)).attachments[index]
  return attachment && bytesOf(attachment)
}

const parse = async (path: string): Promise<Email> => PostalMime.parse(await readFile(path))

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer)

function mailboxes(address: Address | undefined): string[] {
  if (!address) return []
  if (address.group) return address.group.flatMap(mailboxes)
  const { name, address: email } = address
  return [name && email ? `${name} <${email}>` : name || (email ?? '')].filter(Boolean)
}

/** The header is searched with the text, and so are the names of attachments. */
export function extractionOf({ subject, from, to, date, attachments, text }: Message): Extraction {
  const line = (value: string) => truncate(plainText(value).replace(/\s+/g, ' '), MAX_LINE_LENGTH)
  const details: EmailDetails = {
    kind: 'email',
    subject: subject === null ? null : line(subject),
    from: from === null ? null : line(from),
    to: to.slice(0, MAX_RECIPIENTS).map(line),
    date: instantOf(date),
    attachments: attachments.slice(0, MAX_ATTACHMENTS).map(({ name, type, size }) => ({
      name: attachmentName(name),
      type: line(type),
      size,
    })),
  }
  const names = details.attachments.map(({ name }) => name)
  const lines = [details.subject, details.from, details.to.join(', '), '', text, '', names.join('\n')]
  return pagesOfText(lines.filter((part) => part !== null).join('\n'), details)
}

function instantOf(date: string | null): string | null {
  const time = date === null ? Number.NaN : new Date(date).getTime()
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
