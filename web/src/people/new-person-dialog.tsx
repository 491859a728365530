import { Alert, Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { InvalidRequest } from '#src/client/errors.ts'
import { MAX_PERSON_NAME_LENGTH } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/people.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { service } from '#web/api/service.ts'
import { useDraft } from '#web/editing/use-draft.ts'
import { CompanySelect } from '#web/fields/company-select.tsx'
import type { ChosenRecord } from '#web/fields/record-select.tsx'
import {
  type ByKey,
  problemOfFields,
  problemsOfTexts,
  RequiredFields,
  requiredValues,
} from '#web/fields/required-fields.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { idOfCompany } from './link-draft.ts'
import { type CreatedPerson, SamePeople } from './same-people.tsx'

interface Draft {
  name: string
  emails: string
  phones: string
  role: string
  company: ChosenRecord | null
  /** The texts of required custom fields. */
  custom: ByKey
}

const EMPTY: Draft = { name: '', emails: '', phones: '', role: '', company: null, custom: {} }
const NAMED = ['name', 'emails', 'phones', 'role'] as const
type Named = (typeof NAMED)[number]

/** Creates a person. The draft is kept until they are created or it is discarded. */
export default function NewPersonDialog({ close }: { close: () => void }) {
  const [draft, setDraft, clearDraft] = useDraft<Draft>('new-person', EMPTY)
  const [problems, setProblems] = useState<ByKey>({})
  const [created, setCreated] = useState<CreatedPerson | null>(null)
  const { data: custom = [] } = useQuery(fieldQueries.customFields('person'))
  const required = custom.filter((field) => field.required && !field.archived)
  const router = useRouter()
  const queryClient = useQueryClient()
  const isShown = useIsMounted()
  const open = (id: string) => {
    close()
    router.navigate({ to: '/people/$id', params: { id } })
  }
  const create = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: async ({ company }: Draft) => {
      const company_id = company && (await idOfCompany(company))
      if (company_id) setDraft({ ...draft, company: { ...company, id: company_id } })
      const companies = company_id
        ? [{ company_id, role: draft.role.trim() || null, is_primary: true }]
        : undefined
      const body = {
        name: draft.name.trim(),
        emails: valuesOf(draft.emails),
        phones: valuesOf(draft.phones),
        ...(companies && { companies }),
        custom: requiredValues(required, draft.custom),
      }
      return (await service.createPerson({ body })).data
    },
    onError: (error) =>
      setProblems({ ...problemOfFields(required, errorMessage(error)), ...problemOf(error) }),
    onSuccess: (person) => {
      clearDraft()
      for (const resource of ['people', 'activity', ...(draft.company?.id === '' ? ['companies'] : [])])
        queryClient.invalidateQueries({ queryKey: [resource] })
      // The user may have moved on.
      if (!isShown()) return
      if (person.possible_duplicates.length > 0) setCreated(person)
      else open(person.id)
    },
  })
  const text = (name: Named) => ({
    value: draft[name],
    error: problems[name] ?? null,
    dir: 'auto' as const,
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      const { value } = event.currentTarget
      setProblems({ ...problems, [name]: '' })
      setDraft({ ...draft, [name]: value })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const found = {
      ...problemsOfTexts(required, draft.custom),
      ...(draft.name.trim() === '' && { name: strings.nameRequired }),
      ...(draft.role.trim() !== '' && !draft.company && { company: strings.companyRequired }),
    }
    setProblems(found)
    if (Object.keys(found).length === 0) create.mutate(draft)
  }
  if (created)
    return (
      <Dialog onClose={close} title={strings.newPerson} size="lg">
        <SamePeople created={created} close={close} />
        <Group justify="flex-end" mt="md">
          <Button data-autofocus onClick={() => open(created.id)}>
            {strings.openPerson(created.name)}
          </Button>
        </Group>
      </Dialog>
    )
  const isExplained = Object.values(problems).some((problem) => problem !== '')
  return (
    <Dialog onClose={close} title={strings.newPerson} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {create.isError && !isExplained && (
            <Alert color="red" role="alert" title={general.notSaved}>
              {errorMessage(create.error)}
            </Alert>
          )}
          <TextInput
            data-autofocus
            label={strings.name}
            placeholder={strings.namePlaceholder}
            required
            maxLength={MAX_PERSON_NAME_LENGTH}
            {...text('name')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput type="email" label={strings.email} {...text('emails')} dir="ltr" />
            <TextInput type="tel" label={strings.phone} {...text('phones')} dir="ltr" />
            <CompanySelect
              label={strings.company}
              placeholder={strings.findCompany}
              record={draft.company}
              choose={(company) => {
                setProblems({ ...problems, company: '' })
                setDraft({ ...draft, company })
              }}
              canCreate
              error={problems.company || null}
            />
            <TextInput
              label={strings.role}
              placeholder={strings.rolePlaceholder}
              maxLength={200}
              {...text('role')}
            />
          </SimpleGrid>
          <RequiredFields
            fields={required}
            texts={draft.custom}
            problems={problems}
            change={(key, value) => setDraft({ ...draft, custom: { ...draft.custom, [key]: value } })}
          />
          <Group justify="flex-end" mt="xs">
            <Button
              variant="subtle"
              color="gray"
              onClick={() => {
                clearDraft()
                close()
              }}
            >
              {strings.discard}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {strings.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const valuesOf = (text: string): string[] => (text.trim() === '' ? [] : [text.trim()])

/** The message of an error, by the field that it names. */
function problemOf(error: unknown): ByKey {
  if (!(error instanceof InvalidRequest)) return {}
  const message = errorMessage(error)
  const field = NAMED.find((name) => new RegExp(`^${name}\\b`).test(message))
  if (!field) return {}
  const text = message.replace(/^\w+(?:\[\d+\])?:? */, '')
  return { [field]: field === 'phones' ? strings.phoneHelp : text.charAt(0).toUpperCase() + text.slice(1) }
}
