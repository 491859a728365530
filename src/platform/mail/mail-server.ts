import { createTransport, type Transporter } from 'nodemailer'
import type { MailConfig } from '#src/platform/config/mail.ts'
import { MailServerDown, mailError } from './mail-errors.ts'

/** Servers limit how many connections one client may open at once; 3 is what Microsoft 365 allows. */
export const MAX_CONNECTIONS = 3
const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
/** Ends the sending of a message whose server trickles its replies. */
const MESSAGE_TIMEOUT_MS = 60_000

/** One message to one person. Its texts may contain anything: the library encodes what goes into headers. */
export interface Message {
  /** Without angle brackets. A message that is sent again keeps it. */
  id: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** Further headers, of printable ASCII characters. */
  headers: Readonly<Record<string, string>>
}

/** The mail server of the settings, through a pool of connections. */
export class MailServer {
  readonly #config: MailConfig
  readonly #transport: Transporter
  /** What kept it from connecting and signing in, and from sending afterward. */
  #problems: { connecting?: string; sending?: string } = {}

  constructor(config: MailConfig) {
    this.#config = config
    this.#transport = createTransport({
      pool: true,
      host: config.host,
      port: config.port,
      secure: config.isTls,
      requireTLS: config.requiresTls,
      ...(config.credentials && {
        auth: { user: config.credentials.user, pass: config.credentials.password },
      }),
      maxConnections: MAX_CONNECTIONS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  /** Why nothing can be sent, as of the last attempt. */
  problem(): string | undefined {
    return this.#problems.connecting ?? this.#problems.sending
  }

  /**
   * Connects and signs in.
   * @throws MailServerDown if that is not possible
   */
  async check(): Promise<void> {
    await this.#watched(this.#transport.verify())
    this.#problems = { sending: this.#problems.sending }
  }

  /**
   * Sends a message. When it returns, the server has accepted it.
   * @throws MailRejected if the server refuses this message, and MailServerDown if it would refuse any
   */
  async send({ id, headers, ...message }: Message): Promise<void> {
    const sent = this.#transport.sendMail({
      ...message,
      // The library changes the object.
      from: { ...this.#config.from },
      messageId: `<${id}>`,
      headers: Object.fromEntries(Object.entries(headers).map(unfolded)),
      signal: AbortSignal.timeout(MESSAGE_TIMEOUT_MS),
    })
    await this.#watched(sent)
    this.#problems = {}
  }

  close(): void {
    this.#transport.close()
  }

  /** Remembers why the server does not work. */
  async #watched(attempt: Promise<unknown>): Promise<void> {
    try {
      await attempt
    } catch (cause) {
      const error = mailError(cause as Error, this.#config)
      if (error instanceof MailServerDown)
        this.#problems[error.isConnected ? 'sending' : 'connecting'] = error.message
      else this.#problems = {}
      throw error
    }
  }
}

/** Mail programs that look for an address to unsubscribe with do not all find one on a second line. */
const unfolded = ([name, value]: [string, string]) => [name, { prepared: true, foldLines: false, value }]
