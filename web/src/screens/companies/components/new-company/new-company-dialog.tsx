import { Alert, Button, Group, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useMemo, useState } from 'react'
import { InvalidRequest } from '#src/client/errors.ts'
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, MAX_WEBSITE_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/companies.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { useDraft } from '#web/editing/use-draft.ts'
import {
  type ByKey,
  problemOfFields,
  problemsOfTexts,
  RequiredFields,
  requiredValues,
} from '#web/fields/required-fields.tsx'
import { countryOptions, englishCountryName } from '#web/format/countries.ts'
import { withProtocol } from '#web/format/web-address.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { newText } from '#web/ui/select/new-options.ts'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { PossibleDuplicates } from './possible-duplicates.tsx'

const EMPTY = {
  name: '',
  website: '',
  country_code: '',
  hq_city: '',
  industry_category: '',
  activity_description: '',
  /** The texts of required custom fields. */
  custom: {} as ByKey,
}
type Draft = typeof EMPTY
type Field = Exclude<keyof Draft, 'custom'>
const FIELDS = Object.keys(EMPTY).filter((key): key is Field => key !== 'custom')

/** Creates a company. The draft is kept until it is created or discarded. */
export default function NewCompanyDialog({ close }: { close: () => void }) {
  const [draft, setDraft, clearDraft] = useDraft<Draft>('new-company', EMPTY)
  const [isNameMissing, setIsNameMissing] = useState(false)
  const countries = useMemo(countryOptions, [])
  const facets = useQuery(queries.companyFacets({}))
  const { data: custom = [] } = useQuery(fieldQueries.customFields('company'))
  const required = custom.filter((field) => field.required && !field.archived)
  const [customProblems, setCustomProblems] = useState<ByKey>({})
  const router = useRouter()
  const queryClient = useQueryClient()
  const isShown = useIsMounted()
  const create = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: () =>
      service.createCompany({
        body: { ...bodyOf(draft), custom: requiredValues(required, draft.custom) },
      }),
    onError: (error) => setCustomProblems(problemOfFields(required, errorMessage(error))),
    onSuccess: () => {
      clearDraft()
      for (const resource of ['companies', 'activity', 'stats'])
        queryClient.invalidateQueries({ queryKey: [resource] })
    },
  })
  const hasCustomProblem = Object.keys(customProblems).length > 0
  const problem = create.isError && !hasCustomProblem ? problemOf(create.error) : null
  const field = (name: Field) => ({
    value: draft[name],
    error: problem?.field === name && problem.text,
    dir: 'auto' as const,
  })
  const change = (name: Field, value: string) => {
    if (name === 'name') setIsNameMissing(false)
    setDraft({ ...draft, [name]: value })
  }
  // Not called once the dialog is closed: the user has moved on.
  const open = ({ data }: { data: { id: string } }) => {
    close()
    router.navigate({ to: '/companies/$id', params: { id: data.id } })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const isUnnamed = draft.name.trim() === ''
    const problems = problemsOfTexts(required, draft.custom)
    setIsNameMissing(isUnnamed)
    setCustomProblems(problems)
    if (!isUnnamed && Object.keys(problems).length === 0) create.mutate(undefined, { onSuccess: open })
  }
  const known = facets.data?.industry_category.flatMap(({ value }) => value ?? []) ?? []
  const industries = [...new Set([...known, ...(draft.industry_category ? [draft.industry_category] : [])])]
  return (
    <Dialog onClose={close} title={strings.newCompany} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {problem && !problem.field && <Alert color="red">{problem.text}</Alert>}
          <TextInput
            data-autofocus
            label={strings.name}
            placeholder={strings.nameExample}
            required
            maxLength={MAX_NAME_LENGTH}
            {...field('name')}
            {...(isNameMissing && { error: strings.nameRequired })}
            onChange={(event) => change('name', event.currentTarget.value)}
          />
          <TextInput
            type="url"
            label={strings.website}
            placeholder={strings.websiteExample}
            maxLength={MAX_WEBSITE_LENGTH}
            {...field('website')}
            dir="ltr"
            onChange={(event) => change('website', event.currentTarget.value)}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <SearchableSelect
              label={strings.country}
              options={countries}
              clearable
              clearButtonProps={{ 'aria-label': strings.clearCountry }}
              {...field('country_code')}
              value={draft.country_code || null}
              onChange={(code) => change('country_code', code ?? '')}
            />
            <TextInput
              label={strings.city}
              maxLength={200}
              {...field('hq_city')}
              onChange={(event) => change('hq_city', event.currentTarget.value)}
            />
          </SimpleGrid>
          <PossibleDuplicates {...draft} close={close} />
          <RequiredFields
            fields={required}
            texts={draft.custom}
            problems={customProblems}
            change={(key, text) => setDraft({ ...draft, custom: { ...draft.custom, [key]: text } })}
          />
          <SearchableSelect
            label={strings.industry}
            options={industries}
            isPending={facets.isLoading}
            create={newText}
            clearable
            clearButtonProps={{ 'aria-label': strings.clearIndustry }}
            maxLength={200}
            {...field('industry_category')}
            value={draft.industry_category || null}
            onChange={(industry) => change('industry_category', industry ?? '')}
          />
          <Textarea
            label={strings.description}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={MAX_DESCRIPTION_LENGTH}
            {...field('activity_description')}
            onChange={(event) => change('activity_description', event.currentTarget.value)}
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

/** The filled-in fields, with the country name derived from its code. */
function bodyOf({ name, custom: _, ...others }: Draft) {
  const filled = Object.entries(others).flatMap(([field, value]) =>
    value.trim() === '' ? [] : [[field, value.trim()]],
  )
  const website = others.website.trim() && { website: withProtocol(others.website.trim()) }
  const country = others.country_code && { country: englishCountryName(others.country_code) }
  return { name: name.trim(), ...Object.fromEntries(filled), ...country, ...website }
}

/** The error message, and the field that it names, if any. */
function problemOf(error: unknown): { field: Field | undefined; text: string } {
  const text = errorMessage(error)
  const isAbout = (field: string) => new RegExp(`\\b${field}\\b`).test(text)
  const field = error instanceof InvalidRequest ? FIELDS.find(isAbout) : undefined
  return { field, text }
}
