/** Somebody who can sign in at the identity provider for development. */
export interface Account {
  /** The subject: by which the provider knows the user for ever. */
  sub: string
  name: string
  email: string
  /** Absent: the provider does not say. */
  email_verified?: boolean
  picture?: string
}

/** Invented people, of whom two cannot sign in where ALLOWED_DOMAIN is example.com. */
export const ACCOUNTS: Account[] = [
  {
    sub: 'ada',
    name: 'Ada Beck',
    email: 'ada@example.com',
    email_verified: true,
    picture: 'https://people.example.com/ada.jpg',
  },
  { sub: 'ben', name: 'Ben Okafor', email: 'Ben.Okafor@Example.com', email_verified: true },
  { sub: 'chiara', name: 'Chiara Riva', email: 'chiara@example.com', email_verified: true },
  { sub: 'una', name: 'Una, whose address is not verified', email: 'una@example.com', email_verified: false },
  { sub: 'eve', name: 'Eve, of another domain', email: 'eve@evil-example.com', email_verified: true },
]
