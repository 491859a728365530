import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as it arrived. */
export interface ReceivedMail {
  to: string
  /** By their names in lower case, decoded. */
  headers: Record<string, string>
  text: string
  html: string
  raw: string
}

/** An SMTP server on this machine that keeps what it receives. */
export interface MailReceiver {
  /** For `SMTP_URL`. */
  url: string
  mails: ReceivedMail[]
  /** Answers recipients and messages with an error; undefined: accepts them. */
  refuse: { recipient?: (address: string) => Refusal | undefined; message?: () => Refusal | undefined }
  /** Refuses connections until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export interface Refusal {
  code: number
  message: string
}

/**
 * Starts a receiver.
 * @param beforeAnswer what it waits for between keeping a mail and answering that it has accepted it
 */
export async function startMailReceiver(
  options: SMTPServerOptions = {},
  beforeAnswer = async () => {},
): Promise<MailReceiver> {
  const mails: ReceivedMail[] = []
  const refuse: MailReceiver['refuse'] = {}
  let port = 0
  let server: SMTPServer
  const start = async () => {
    server = createServer(mails, refuse, options, beforeAnswer)
    server.on('error', () => {})
    const listening: Server = server.listen(port, '127.0.0.1')
    await once(listening, 'listening')
    port = (listening.address() as AddressInfo).port
  }
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()))
  await start()
  return { url: `smtp://127.0.0.1:${port}`, mails, refuse, start, stop, close: stop }
}

function createServer(
  mails: ReceivedMail[],
  refuse: MailReceiver['refuse'],
  options: SMTPServerOptions,
  beforeAnswer: () => Promise<void>,
): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => done(errorOf(refuse.recipient?.(address))),
    onData: (stream, { envelope }, done) => {
      const receive = async () => {
        const content = await buffer(stream)
        const error = errorOf(refuse.message?.())
        const [to] = envelope.rcptTo
        if (!error) mails.push(parseMail(to?.address ?? '', content.toString('latin1')))
        await beforeAnswer()
        return error
      }
      receive().then(done, done)
    },
    ...options,
  })
}

const errorOf = (refusal: Refusal | undefined) =>
  refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code })

/** @param raw each byte as one character */
function parseMail(to: string, raw: string): ReceivedMail {
  const { headers, body } = splitPart(raw)
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? []
  const parts = body.split(`--${boundary}`).slice(1, -1)
  const content = (type: string) => {
    const part = parts
      .map((text) => splitPart(text.replace(/^\r\n/, '')))
      .find(({ headers }) => headers['content-type']?.startsWith(type))
    return part ? decodeBody(part.body, part.headers['content-transfer-encoding'] ?? '') : ''
  }
  return { to, headers, text: content('text/plain'), html: content('text/html'), raw }
}

function splitPart(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
  })
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) }
}

/** Encoded words (RFC 2047). White space between two of them is not part of the text. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, encoding: string, content: string) =>
      encoding.toLowerCase() === 'b' ? atob(content) : unquote(content.replaceAll('_', ' ')),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString())

const unquote = (text: string): string =>
  text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function decodeBody(body: string, encoding: string): string {
  const bytes =
    encoding === 'base64'
      ? atob(body.replace(/\s/g, ''))
      : encoding === 'quoted-printable'
        ? unquote(body)
        : body
  return Buffer.from(bytes, 'latin1').toString().replace(/\r\n/g, '\n')
}
