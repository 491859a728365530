import { Button, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { strings } from '#strings/people.ts'
import type { CompanyLink, Person } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { isPast } from '#web/fields/past-link.ts'
import { LinkRow } from '#web/people/link-row.tsx'
import rows from '#web/people/link-rows.module.css'
import { useUnlink } from '#web/people/use-unlink.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { Section } from '#web/ui/section.tsx'

const LinkDialog = lazy(() => import('#web/people/link-dialog.tsx'))

/** The companies that the person is or was linked to. */
export function PersonCompanies({ person }: { person: Person }) {
  const { companies } = person
  const [edited, setEdited] = useState<CompanyLink | 'new' | null>(null)
  const mayWrite = useCan('write')
  const present = companies.filter((link) => !isPast(link))
  const past = companies.filter(isPast)
  const close = () => setEdited(null)
  return (
    <Section
      title={strings.companies}
      actions={
        mayWrite && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            {strings.addCompany}
          </Button>
        )
      }
    >
      {companies.length === 0 && (
        <Text size="sm" c="dimmed">
          {strings.noCompanies}
        </Text>
      )}
      <Links links={present} person={person} edit={setEdited} />
      {past.length > 0 && (
        <Stack gap={4}>
          <Title order={3} size="h6" c="dimmed">
            {strings.past}
          </Title>
          <Links links={past} person={person} edit={setEdited} />
        </Stack>
      )}
      {edited && (
        <LazyDialog close={close}>
          {edited === 'new' ? (
            <LinkDialog
              title={strings.addCompanyTo(person.name)}
              person={person}
              company={null}
              taken={companies.map(({ company_id }) => company_id)}
              close={close}
            />
          ) : (
            <LinkDialog
              title={strings.editLink(person.name, edited.name)}
              person={person}
              company={{ id: edited.company_id, name: edited.name }}
              link={edited}
              close={close}
            />
          )}
        </LazyDialog>
      )}
    </Section>
  )
}

interface LinksProps {
  links: readonly CompanyLink[]
  person: Person
  edit: (link: CompanyLink) => void
}

function Links({ links, person, edit }: LinksProps) {
  const unlink = useUnlink()
  if (links.length === 0) return null
  return (
    <ul className={rows.list}>
      {links.map((link) => {
        const { company_id, name } = link
        return (
          <LinkRow
            key={company_id}
            mark={<Monogram name={name} size={24} />}
            name={
              <ScreenLink to="/companies/$id" params={{ id: company_id }} size="sm" fw={500} dir="auto">
                {name}
              </ScreenLink>
            }
            link={link}
            showsPrimary
            editLabel={strings.editLink(person.name, name)}
            removeLabel={strings.removeLink(person.name, name)}
            edit={() => edit(link)}
            remove={() => unlink({ company_id, person_id: person.id })}
          />
        )
      })}
    </ul>
  )
}
