import { strings } from '#strings/activity.ts'
import { nameFromEmail } from '#web/fields/people.ts'

interface PersonProps {
  /** null: the user is unknown. */
  email: string | null
  /** The email address of the signed-in user. */
  me: string | undefined
  startsSentence?: boolean
  isPossessive?: boolean
}

/** A user in a sentence. The email address is the tooltip. */
export function Person({ email, me, startsSentence = false, isPossessive = false }: PersonProps) {
  const name = isPossessive ? possessiveOf(email, me) : nameOf(email, me)
  return (
    <strong dir="auto" title={email ?? undefined} className="break-anywhere" style={{ fontWeight: 600 }}>
      {startsSentence ? name.charAt(0).toUpperCase() + name.slice(1) : name}
    </strong>
  )
}

function nameOf(email: string | null, me: string | undefined): string {
  if (email === null) return strings.unknownUser
  return email === me ? strings.you : nameFromEmail(email)
}

const possessiveOf = (email: string | null, me: string | undefined): string =>
  email !== null && email === me ? strings.your : strings.possessive(nameOf(email, me))
