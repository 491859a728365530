import { ActionIcon, Anchor, Button, Text } from '@mantine/core'
import { IconMail, IconPlus, IconUsersPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { foldText } from '#src/client/limits.ts'
import { strings } from '#strings/people.ts'
import { queries } from '#web/api/queries.ts'
import type { CompanyPerson } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { isPast } from '#web/fields/past-link.ts'
import { mailAddress } from '#web/format/web-address.ts'
import { LinkRow } from '#web/people/link-row.tsx'
import rows from '#web/people/link-rows.module.css'
import { usePeopleOfExecutives } from '#web/people/use-people-of-executives.ts'
import { useUnlink } from '#web/people/use-unlink.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { Section } from '#web/ui/section.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import type { CompanyRecord } from '../company-fields.ts'
import { isPerson } from '../hooks/use-executives.ts'

const LinkDialog = lazy(() => import('#web/people/link-dialog.tsx'))

/** The people of the company: the primary ones first, then those who are there now. Those who left are folded. */
export function CompanyPeople({ company }: { company: CompanyRecord }) {
  const query = useQuery(queries.companyPeople(company.id))
  const [edited, setEdited] = useState<CompanyPerson | 'new' | null>(null)
  const [arePastShown, setPastShown] = useState(false)
  const mayWrite = useCan('write')
  const people = query.data?.data ?? []
  const present = people.filter(({ link }) => !isPast(link))
  const past = people.filter(({ link }) => isPast(link))
  const close = () => setEdited(null)
  return (
    <Section
      title={strings.title}
      actions={
        mayWrite && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            {strings.addPerson}
          </Button>
        )
      }
    >
      {query.isPending && <SkeletonLines lines={3} height={24} />}
      {query.isError && !query.data && <ErrorState error={query.error} retry={() => query.refetch()} />}
      {query.data && people.length === 0 && (
        <Text size="sm" c="dimmed">
          {strings.noPeople}
        </Text>
      )}
      <PeopleRows people={present} company={company} edit={setEdited} />
      {past.length > 0 && (
        <>
          <Anchor
            component="button"
            type="button"
            size="sm"
            style={{ alignSelf: 'flex-start' }}
            aria-expanded={arePastShown}
            onClick={() => setPastShown(!arePastShown)}
          >
            {arePastShown ? strings.hidePast : strings.showPast(past.length)}
          </Anchor>
          {arePastShown && <PeopleRows people={past} company={company} edit={setEdited} />}
        </>
      )}
      {mayWrite && query.data && <FromExecutives company={company} people={people} />}
      {edited && (
        <LazyDialog close={close}>
          {edited === 'new' ? (
            <LinkDialog
              title={strings.addPersonTo(company.name)}
              person={null}
              company={company}
              taken={people.map(({ id }) => id)}
              close={close}
            />
          ) : (
            <LinkDialog
              title={strings.editLink(edited.name, company.name)}
              person={edited}
              company={company}
              link={edited.link}
              close={close}
            />
          )}
        </LazyDialog>
      )}
    </Section>
  )
}

interface PeopleRowsProps {
  people: readonly CompanyPerson[]
  company: CompanyRecord
  edit: (person: CompanyPerson) => void
}

function PeopleRows({ people, company, edit }: PeopleRowsProps) {
  const unlink = useUnlink()
  if (people.length === 0) return null
  return (
    <ul className={rows.list}>
      {people.map((person) => {
        const { id, name, link, emails } = person
        const [email] = emails
        return (
          <LinkRow
            key={id}
            mark={<Monogram name={name} size={24} isPerson />}
            name={
              <ScreenLink to="/people/$id" params={{ id }} size="sm" fw={500} dir="auto">
                {name}
              </ScreenLink>
            }
            link={link}
            links={
              email && (
                <ActionIcon
                  component="a"
                  href={mailAddress(email)}
                  variant="subtle"
                  color="gray"
                  aria-label={strings.writeTo(email)}
                  title={email}
                >
                  <IconMail size={16} aria-hidden />
                </ActionIcon>
              )
            }
            editLabel={strings.editLink(name, company.name)}
            removeLabel={strings.removeLink(name, company.name)}
            edit={() => edit(person)}
            remove={() => unlink({ company_id: company.id, person_id: id })}
          />
        )
      })}
    </ul>
  )
}

interface FromExecutivesProps {
  company: CompanyRecord
  people: readonly CompanyPerson[]
}

/** Makes people of the executives. Not offered if people have all of their names. */
function FromExecutives({ company, people }: FromExecutivesProps) {
  const make = usePeopleOfExecutives()
  const known = new Set(people.map(({ name }) => foldText(name)))
  const executives = Array.isArray(company.executives) ? company.executives : []
  const isOffered = executives.some((entry) => isPerson(entry) && !known.has(foldText(entry.name)))
  if (!isOffered) return null
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={<IconUsersPlus size={14} aria-hidden />}
      style={{ alignSelf: 'flex-start' }}
      ms={-8}
      loading={make.isPending}
      onClick={() => make.mutate({ id: company.id })}
    >
      {strings.fromExecutives}
    </Button>
  )
}
