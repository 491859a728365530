import type { StoredPerson } from '#src/features/people/index.ts'
import { foldUserName } from '#src/features/users/index.ts'
import { profileKey } from './candidates.ts'

/** A person of the file or of the database, as planned so far. */
export interface KnownPerson {
  current: StoredPerson
}

/** What a row says about who it is. */
export interface PersonIdentity {
  id: string | undefined
  name: string
  emails: readonly string[]
  links: readonly string[]
  companyIds: readonly string[]
}

/** Finds the person that a row is about among those that are known. */
export class PersonIndex<Known extends KnownPerson> {
  readonly #byId = new Map<string, Known>()
  readonly #byKey = new Map<string, Known[]>()

  /** Adds a person, or what has changed of one. */
  add(known: Known): void {
    const { id, name, emails, links, companies } = known.current
    this.#byId.set(id, known)
    const folded = foldUserName(name)
    for (const email of emails) this.#set(`email ${email}`, known)
    for (const link of links) this.#set(`profile ${profileKey(link)}`, known)
    for (const company of Object.keys(companies)) this.#set(`company ${company} ${folded}`, known)
    this.#set(`name ${folded}`, known)
  }

  /** Also finds a person by what was that of someone who was merged into them. */
  addMerged(survivor: string, { id, emails }: { id: string; emails: readonly string[] }): void {
    const known = this.#byId.get(survivor)
    if (!known) return
    this.#byId.set(id, known)
    for (const email of emails) this.#set(`email ${email}`, known)
  }

  #set(key: string, known: Known): void {
    const same = this.#byKey.get(key)
    if (!same) this.#byKey.set(key, [known])
    else if (!same.includes(known)) same.push(known)
  }

  /**
   * The person of a row: by the id, an email address, a profile, or else the name within a company. A row with nothing but a
   * name is the only person with this name.
   * @returns `other`: someone else has the email address
   */
  find({ id, name, emails, links, companyIds }: PersonIdentity): { known?: Known; other?: Known } {
    const byId = id === undefined ? undefined : this.#byId.get(id)
    if (byId) return { known: byId }
    const folded = foldUserName(name)
    const profiles = links.map(profileKey).filter((key) => key !== undefined)
    const owners = [
      ...emails.map((email) => `email ${email}`),
      ...profiles.map((profile) => `profile ${profile}`),
    ].flatMap((key) => this.#byKey.get(key) ?? [])
    const exact = owners.find(({ current }) => foldUserName(current.name) === folded)
    const known = exact ?? owners.find(({ current }) => mayBeSame(foldUserName(current.name), folded))
    if (known) return { known }
    const colleague = companyIds.flatMap(
      (company) => this.#byKey.get(`company ${company} ${folded}`) ?? [],
    )[0]
    if (colleague) return { known: colleague }
    const [other] = owners
    if (other) return { other }
    if (emails.length + profiles.length + companyIds.length > 0) return {}
    const namesakes = this.#byKey.get(`name ${folded}`) ?? []
    const bare = namesakes.find(
      ({ current }) => current.emails.length === 0 && Object.keys(current.companies).length === 0,
    )
    return namesakes.length === 1 ? { known: namesakes[0] as Known } : bare ? { known: bare } : {}
  }
}

/** An address such as office@example.com may belong to several people, whose names share no word. */
const mayBeSame = (one: string, other: string): boolean => {
  const words = new Set(one.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1))
  return (
    one.includes('@') || other.includes('@') || other.split(/[^\p{L}\p{N}]+/u).some((word) => words.has(word))
  )
}
