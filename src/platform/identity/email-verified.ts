/**
 * Whether the claim `email_verified` leaves the address trustworthy (OpenID Connect Core, section 5.1). Some providers and
 * gateways send it as text. Whether a missing claim is enough is for the caller to decide.
 */
export const mayBeVerified = (claim: unknown): boolean =>
  claim === undefined || claim === true || claim === 'true'
