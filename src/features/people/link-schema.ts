import { type Static, Type } from 'typebox'
import { Named, Nullable, readOnlyFields, Strict } from '#src/platform/schema/shapes.ts'

/** A person is linked to at most this many companies. */
export const MAX_COMPANIES_OF_PERSON = 100
export const MAX_ROLE_LENGTH = 200

export const LinkedCompany = Type.String({ minLength: 1, maxLength: 100 })

const day = (description: string) => Nullable(Type.String({ format: 'date', description }))

const fields = {
  role: Nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_ROLE_LENGTH,
      pattern: '\\S',
      description: 'What the person does there, such as Chief Executive Officer.',
    }),
  ),
  from: day('The first day.'),
  until: day('The last day; null if there is none yet. Not before `from`.'),
  is_primary: Type.Boolean({ description: "Whether it is the person's primary company." }),
}

/** The writable fields of a link. */
export const linkProperties = Type.Partial(Type.Object(fields)).properties

export const CompanyLink = Named('CompanyLink', {
  company_id: Type.String(),
  name: Type.String({ description: 'The name of the company.' }),
  ...fields,
})

export type CompanyLink = Static<typeof CompanyLink>

export const companyLinkExample: CompanyLink = {
  company_id: 'cmp_01jw3f8x5zfq2v5n6k7m8p9r0s',
  name: 'Nordlys Robotics',
  role: 'Chief Executive Officer',
  from: '2017-05-01',
  until: null,
  is_primary: true,
}

/** How a person is linked to a company. */
export const Link = Type.Object(fields)
export type Link = Static<typeof Link>

export const NewLink = Strict(
  Type.Object(
    { ...linkProperties, ...readOnlyFields(['company_id', 'name']) },
    {
      title: 'NewCompanyLink',
      examples: [{ role: companyLinkExample.role, from: companyLinkExample.from, is_primary: true }],
    },
  ),
)
export type NewLink = Partial<Link>
