import type { Allowlist } from '#src/platform/identity/allowlist.ts'

/** What a mail says, without its form. */
export interface MailContent {
  subject: string
  /** The name of the workspace, above everything else. */
  workspace: string
  title: string
  sections: readonly Section[]
  /** The button. */
  action: Link
  /** Why the person gets this mail. */
  reason: string
  settings: Link
  unsubscribe: Link
}

export interface Section {
  title: string
  entries: readonly Entry[]
  /** How many more there are than the section lists. */
  more: number
}

export interface Entry {
  text: string
  url: string
  /** When it is due. */
  note?: string
}

export interface Link {
  label: string
  url: string
}

/** What mails need to know about the workspace. */
export interface Workspace {
  name: string
  publicUrl: string
  timeZone: string
  /** Who may sign in. Others get no mail. */
  allowlist: Allowlist
}

/** A notification as a mail has it. */
export interface MailedNotification extends Entry {
  kind: string
}

/** The address that ends mail of a kind without signing in, or with `digest` all that the digest contains. */
export const unsubscribeUrl = (publicUrl: string, token: string, kind: string): string =>
  `${publicUrl}/api/notifications/unsubscribe/${token}?kind=${kind}`
