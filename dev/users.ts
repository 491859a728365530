/** An account of the development identity provider. */
export interface Account {
  /** The provider's permanent ID for the user. */
  sub: string
  name: string
  email: string
  /** If absent, the provider omits the claim. */
  email_verified?: boolean
  picture?: string
}

/** Fictional people. Two of them cannot sign in with ALLOWED_DOMAIN=example.com. */
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
  { sub: 'una', name: 'Una (unverified address)', email: 'una@example.com', email_verified: false },
  { sub: 'eve', name: 'Eve (another domain)', email: 'eve@evil-example.com', email_verified: true },
]
