import { strings } from '#strings/activity.ts'

/** A person by what comes before the @: `ada.beck@example.com` as `Ada Beck`. */
const nameFromEmail = (email: string): string =>
  email
    .replace(/@.*$/, '')
    .split(/[._-]+/)
    .filter(Boolean)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ') || email

interface PersonProps {
  /** null: nobody was named. */
  email: string | null
  /** Who reads it, as an e-mail address. */
  me: string | undefined
  startsSentence?: boolean
}

/** Somebody in a sentence; the e-mail address is the title. */
export function Person({ email, me, startsSentence }: PersonProps) {
  const word = email === null ? strings.somebody : strings.you
  if (email !== null && email !== me)
    return (
      <strong dir="auto" title={email} className="break-anywhere" style={{ fontWeight: 600 }}>
        {nameFromEmail(email)}
      </strong>
    )
  return (
    <strong title={email ?? undefined} style={{ fontWeight: 600 }}>
      {startsSentence ? word.charAt(0).toUpperCase() + word.slice(1) : word}
    </strong>
  )
}
