import type { Generated } from 'kysely'

export interface PeopleTable {
  id: string
  name: string
  emails: string[]
  phones: string[]
  links: string[]
  headline: string | null
  location: string | null
  tags: string[]
  owner_email: string | null
  custom: Generated<string>
  created_at: Date
  updated_at: Date
  name_sort: Generated<string>
  search_text: Generated<string>
  name_key: Generated<string>
}

export interface CompanyPeopleTable {
  person_id: string
  company_id: string
  role: string | null
  from_on: string | null
  until_on: string | null
  is_primary: Generated<boolean>
}

declare module '#src/platform/database/database.ts' {
  interface Tables {
    people: PeopleTable
    company_people: CompanyPeopleTable
  }
}
