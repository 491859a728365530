import { createRequire } from 'node:module'
import type { FieldsData } from '@kenjiuno/msgreader/lib/MsgReader.js'
import { extractionOf } from './email.ts'
import { htmlText } from './html.ts'
import { DAMAGED, NoText } from './limits.ts'
import type { Extraction } from './types.ts'

type MsgReader = import('@kenjiuno/msgreader/lib/MsgReader.js').default
const { default: Reader } = createRequire(import.meta.url)('@kenjiuno/msgreader') as {
  default: new (file: ArrayBuffer | DataView) => MsgReader
}

/** Reads an email of Outlook (MSG): its header, its text, and a list of its attachments. */
export function readOutlookMessage(file: Buffer): Extraction {
  const { fields } = open(file)
  const { senderName, senderSmtpAddress, senderEmail, messageDeliveryTime, clientSubmitTime } = fields
  const address = senderSmtpAddress ?? (senderEmail?.includes('@') ? senderEmail : undefined)
  return extractionOf({
    subject: fields.subject ?? null,
    from: mailbox(senderName, address) || null,
    to: (fields.recipients ?? [])
      .filter(({ recipType = 'to' }) => recipType === 'to')
      .map(({ name, email, smtpAddress }) => mailbox(name, smtpAddress ?? email))
      .filter(Boolean),
    date: messageDeliveryTime ?? clientSubmitTime ?? null,
    text: fields.body?.trim() ? fields.body : htmlText(htmlOf(fields)),
    attachments: (fields.attachments ?? []).map((attachment) => ({
      name: nameOf(attachment),
      type: attachment.attachMimeTag ?? 'application/octet-stream',
      size: attachment.contentLength ?? 0,
    })),
  })
}

/** The content of an attachment; undefined: there is none at this place. */
export function readOutlookAttachment(file: Buffer, index: number): Uint8Array | undefined {
  const { reader, fields } = open(file)
  const attachment = fields.attachments?.[index]
  return attachment && reader.getAttachment(attachment).content
}

function open(file: Buffer): { reader: MsgReader; fields: FieldsData } {
  const reader = new Reader(new DataView(file.buffer, file.byteOffset, file.byteLength))
  const fields = reader.getFileData()
  if (fields.error) throw new NoText('unreadable', DAMAGED)
  return { reader, fields }
}

const nameOf = ({ fileName, name, innerMsgContent }: FieldsData): string =>
  innerMsgContent ? `${name ?? 'message'}.msg` : (fileName ?? name ?? 'attachment')

const mailbox = (name = '', address = ''): string =>
  name && address && name !== address ? `${name} <${address}>` : name || address

const htmlOf = ({ bodyHtml, html }: FieldsData): string =>
  bodyHtml ?? (html ? Buffer.from(html).toString('utf8') : '')
