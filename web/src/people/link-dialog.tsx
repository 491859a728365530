import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/people.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { type CompanyLink, service } from '#web/api/service.ts'
import { CompanySelect } from '#web/fields/company-select.tsx'
import { PersonSelect } from '#web/fields/person-select.tsx'
import type { ChosenRecord } from '#web/fields/record-select.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { areDatesInOrder, draftOfLink, EMPTY_LINK, idOfCompany, linkOfDraft } from './link-draft.ts'
import { LinkFields } from './link-fields.tsx'
import { type CreatedPerson, SamePeople } from './same-people.tsx'

interface LinkDialogProps {
  title: string
  /** null: the user chooses one. */
  person: ChosenRecord | null
  /** null: the user chooses one. */
  company: ChosenRecord | null
  /** The link to change. */
  link?: Pick<CompanyLink, 'role' | 'from' | 'until' | 'is_primary'>
  /** The ids of the records that are linked already. */
  taken?: readonly string[]
  close: () => void
}

/** Links a person to a company, or changes the link. A company or person who does not exist yet is created. */
export default function LinkDialog({ title, link, taken = [], close, ...ends }: LinkDialogProps) {
  const [person, choosePerson] = useState(ends.person)
  const [company, chooseCompany] = useState(ends.company)
  const [email, setEmail] = useState('')
  const [draft, setDraft] = useState(link ? draftOfLink(link) : EMPTY_LINK)
  const [problem, setProblem] = useState<string | null>(null)
  const [created, setCreated] = useState<CreatedPerson | null>(null)
  const queryClient = useQueryClient()
  const isShown = useIsMounted()
  const chosen = ends.person ? company : person
  const save = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: async ({ person, company }: { person: ChosenRecord; company: ChosenRecord }) => {
      const company_id = await idOfCompany(company)
      chooseCompany({ ...company, id: company_id })
      const body = linkOfDraft(draft)
      if (person.id) {
        await service.linkPerson({ params: { id: company_id, person_id: person.id }, body })
        return null
      }
      const emails = email.trim() ? [email.trim()] : []
      const companies = [{ company_id, ...body }]
      return (await service.createPerson({ body: { name: person.name, emails, companies } })).data
    },
    onSuccess: (made) => {
      for (const resource of ['people', 'activity', 'history', ...(company?.id ? [] : ['companies'])])
        queryClient.invalidateQueries({ queryKey: [resource] })
      if (!isShown()) return
      if (made && made.possible_duplicates.length > 0) setCreated(made)
      else close()
    },
  })
  const choose = (record: ChosenRecord | null, put: (record: ChosenRecord | null) => void) => {
    setProblem(null)
    put(record)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const missing = ends.person ? strings.companyMissing : strings.personRequired
    const isTaken = chosen !== null && taken.includes(chosen.id)
    setProblem(chosen === null ? missing : isTaken ? strings.alreadyLinked : null)
    if (person && company && !isTaken && areDatesInOrder(draft)) save.mutate({ person, company })
  }
  if (created)
    return (
      <Dialog onClose={close} title={title}>
        <SamePeople created={created} close={close} />
        <Group justify="flex-end" mt="md">
          <Button onClick={close}>{general.close}</Button>
        </Group>
      </Dialog>
    )
  const isNewPerson = !ends.person && person?.id === ''
  return (
    <Dialog onClose={close} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {!ends.person && (
            <PersonSelect
              isFirst
              label={strings.person}
              placeholder={strings.findPerson}
              record={person}
              choose={(record) => choose(record, choosePerson)}
              canCreate
              required
              error={problem}
            />
          )}
          {!ends.company && (
            <CompanySelect
              isFirst
              label={strings.company}
              placeholder={strings.findCompany}
              record={company}
              choose={(record) => choose(record, chooseCompany)}
              canCreate
              required
              error={problem}
            />
          )}
          {isNewPerson && (
            <TextInput
              type="email"
              label={strings.email}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              dir="ltr"
            />
          )}
          <LinkFields link={draft} change={setDraft} isFirst={link !== undefined} />
          {save.isError && (
            <Alert color="red" role="alert" title={general.notSaved}>
              {errorMessage(save.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {link ? strings.save : strings.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
