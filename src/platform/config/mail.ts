import { isLoopbackHost } from '#src/platform/network/addresses.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import type { Settings } from './settings.ts'

/** The mail server that notifications are sent through, and their sender. */
export interface MailConfig {
  readonly host: string
  readonly port: number
  /** Whether the connection begins with TLS. Otherwise it is upgraded with STARTTLS if the server offers it. */
  readonly isTls: boolean
  /** Whether nothing is sent before the upgrade: a password never crosses the network in plain text. */
  readonly requiresTls: boolean
  readonly credentials: { readonly user: string; readonly password: string } | undefined
  readonly from: MailSender
}

export interface MailSender {
  readonly name: string
  readonly address: string
}

const SMTP_URL =
  'must be a URL such as smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com. Write special characters of the password as %xx, such as %40 for @'
const MAIL_FROM = 'an email address, such as crm@example.com or CRM <crm@example.com>'
const SUBMISSION_PORT = 587
const TLS_PORT = 465

/** Reads where mail is sent; `undefined`: it is off. */
export function readMail(settings: Settings): MailConfig | undefined {
  const text = settings.text('SMTP_URL')
  if (!text) {
    settings.warnIfUnused({ MAIL_FROM: '' }, 'SMTP_URL is set')
    return undefined
  }
  const server = parseServer(text)
  if (!server) settings.addError('SMTP_URL', SMTP_URL)
  const from = readSender(settings)
  return server && from && Object.freeze({ ...server, from })
}

/** The URL is secret, so errors do not quote it. */
function parseServer(text: string): Omit<MailConfig, 'from'> | undefined {
  if (!/^smtps?:\/\/[^\s/?#]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password } = new URL(text)
  if (!hostname || (username === '') !== (password === '')) return undefined
  const credentials = decodeCredentials(username, password)
  if (credentials === undefined) return undefined
  const isTls = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(port) || (isTls ? TLS_PORT : SUBMISSION_PORT),
    isTls,
    requiresTls: !isTls && credentials !== null && !isLoopbackHost(host),
    credentials: credentials ?? undefined,
  }
}

/** @returns null without credentials, undefined if they are not percent-encoded */
function decodeCredentials(username: string, password: string): MailConfig['credentials'] | null {
  if (!username) return null
  try {
    return Object.freeze({ user: decodeURIComponent(username), password: decodeURIComponent(password) })
  } catch {
    return undefined
  }
}

function readSender(settings: Settings): MailSender | undefined {
  const text = settings.text('MAIL_FROM')
  if (!text) {
    settings.addError('MAIL_FROM', `is required with SMTP_URL: ${MAIL_FROM}`)
    return undefined
  }
  const [, name = '', address = text] = /^(?:"?([^"<>]*?)"?\s*)<([^<>]*)>$/.exec(text) ?? []
  if (isEmailAddress(address) && !/\p{Cc}/u.test(name)) return Object.freeze({ name, address })
  settings.reject('MAIL_FROM', MAIL_FROM)
  return undefined
}
