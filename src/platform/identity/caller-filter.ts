import { InvalidInput } from '#src/platform/errors.ts'

/** The filter value that stands for the caller. */
const ME = 'me'

/**
 * The query with the caller's address in place of `owner_email=me`.
 * @throws InvalidInput if there is no caller
 */
export function withOwner<Query extends { owner_email?: string | string[] | undefined }>(
  query: Query,
  user: { email: string } | null,
): Query {
  const owners = [query.owner_email ?? []].flat()
  if (!owners.includes(ME)) return query
  if (!user) throw new InvalidInput('owner_email=me requires a user. Sign in, or send an email address.')
  return { ...query, owner_email: owners.map((owner) => (owner === ME ? user.email : owner)) }
}
