import { InvalidInput } from '#src/platform/errors.ts'

/** The filter value that stands for the caller. */
const ME = 'me'

/**
 * The query with the caller's address in place of `me`.
 * @param names the filters that take `me`
 * @throws InvalidInput if there is no caller
 */
export function withCaller<
  Name extends string,
  Query extends { [Key in Name]?: string | string[] | undefined },
>(query: Query, user: { email: string } | null, names: readonly Name[]): Query {
  const replaced = { ...query }
  for (const name of names) {
    const values = [query[name] ?? []].flat() as string[]
    if (!values.includes(ME)) continue
    if (!user) throw new InvalidInput(`${name}=me requires a user. Sign in, or send an email address.`)
    Object.assign(replaced, { [name]: values.map((value) => (value === ME ? user.email : value)) })
  }
  return replaced
}

/** The same for `owner_email`. */
export const withOwner = <Query extends { owner_email?: string | string[] | undefined }>(
  query: Query,
  user: { email: string } | null,
): Query => withCaller<'owner_email', Query>(query, user, ['owner_email'])
