import { Alert, Button, Group, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/theses.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { service } from '#web/api/service.ts'
import { useDraft } from '#web/editing/use-draft.ts'
import { ThesisFields } from '#web/screens/thesis/components/thesis-fields.tsx'
import { isDuplicateCode } from '#web/screens/thesis/duplicate-code.ts'
import { EMPTY, requestBody, type ThesisText, validateThesis } from '#web/screens/thesis/thesis-draft.ts'
import { Dialog } from '#web/ui/dialog.tsx'

/** The dialog that creates a thesis and opens it. */
export function NewThesis({ close }: { close: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [text, setText, clearDraft] = useDraft<ThesisText>('new-thesis', EMPTY)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const create = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async (written: ThesisText) =>
      (await service.createThesis({ body: requestBody(written) })).data,
    onSuccess: (thesis) => {
      queryClient.setQueryData(['theses', 'one', thesis.id], thesis)
      for (const queryKey of [['theses', 'list'], ['stats'], ['activity']])
        queryClient.invalidateQueries({ queryKey })
      clearDraft()
      close()
      navigate({ to: '/theses/$id', params: { id: thesis.id } })
    },
  })
  const isDuplicate = isDuplicateCode(create.error)
  const change = (changed: Partial<ThesisText>) => setText({ ...text, ...changed })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setWasSubmitted(true)
    if (Object.keys(validateThesis(text)).length === 0) create.mutate(text)
  }
  const cancel = () => {
    clearDraft()
    close()
  }
  return (
    <Dialog onClose={close} title={strings.newThesis} size="xl">
      <form onSubmit={submit} noValidate>
        <Stack>
          <ThesisFields
            text={text}
            change={change}
            wasSubmitted={wasSubmitted}
            duplicateCode={isDuplicate ? (create.variables?.code.trim() ?? null) : null}
          />
          <Textarea
            label={strings.report}
            description={strings.reportHint}
            autosize
            minRows={8}
            maxRows={20}
            maxLength={500_000}
            value={text.report_markdown}
            onChange={({ currentTarget }) => change({ report_markdown: currentTarget.value })}
            dir="auto"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          {create.isError && !isDuplicate && (
            <Alert color="red" role="alert" title={general.notSaved}>
              {errorMessage(create.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel}>
              {general.cancel}
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
