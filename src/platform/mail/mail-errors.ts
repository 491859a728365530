import type { MailConfig } from '#src/platform/config/mail.ts'
import { truncate } from '#src/platform/truncate.ts'

const MAX_REASON_LENGTH = 300

/** The server refuses one message. */
export class MailRejected extends Error {
  /** Whether it would refuse the message again. */
  readonly isPermanent: boolean
  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.isPermanent = isPermanent
  }
}

/** No message can be sent now. */
export class MailServerDown extends Error {
  /** Whether the server lets the service connect and sign in, so that only sending shows whether it is over. */
  readonly isConnected: boolean
  constructor(message: string, isConnected: boolean) {
    super(message)
    this.isConnected = isConnected
  }
}

/** What the library adds to its errors. */
interface TransportError extends Error {
  code?: string
  originalCode?: string
  command?: string
  /** What the server answered. */
  response?: string
  responseCode?: number
  permanent?: boolean
}

/** The server answers 421 when it closes the connection, whichever message it was sent. */
const CLOSING = 421
/** The empty code is that of errors in the library. */
const OF_MESSAGE = new Set(['EENVELOPE', 'EMESSAGE', ''])

/** The error in our own words. It contains no password, even if the server repeats one. */
export function mailError(error: TransportError, config: MailConfig): MailRejected | MailServerDown {
  const { code = '', command, response, responseCode, permanent = code !== '' } = error
  const reason = withoutSecrets(response ?? error.message, config)
  // A server that refuses the sender refuses every message.
  const isAboutMessage = OF_MESSAGE.has(code) && (command !== 'MAIL FROM' || responseCode === undefined)
  return isAboutMessage && responseCode !== CLOSING
    ? new MailRejected(reason, permanent)
    : new MailServerDown(
        `The mail server ${config.host}:${config.port} ${outage(error, reason)}`,
        OF_MESSAGE.has(code),
      )
}

function outage({ code, originalCode, command, responseCode }: TransportError, reason: string): string {
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return `refuses the user name or password of SMTP_URL${responseCode ? ` (${responseCode})` : ''}.`
  if (command === 'MAIL FROM') return `refuses the sender of MAIL_FROM: ${reason}`
  if (code === 'ETLS') return `has no TLS that can be trusted: ${reason}`
  if (code === 'EDNS') return 'is not known under this name.'
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'does not answer in time.'
  if (originalCode === 'ECONNREFUSED') return 'refuses connections.'
  return `cannot be used: ${reason}`
}

/** On one line. */
function withoutSecrets(text: string, { credentials }: MailConfig): string {
  const plain = text.replace(/[\s\p{Cc}]+/gu, ' ')
  if (!credentials) return truncate(plain, MAX_REASON_LENGTH)
  const { user, password } = credentials
  const secrets = [
    password,
    encodeURIComponent(password),
    ...[password, `\0${user}\0${password}`].map((secret) => Buffer.from(secret).toString('base64')),
  ]
  return truncate(
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), plain),
    MAX_REASON_LENGTH,
  )
}
