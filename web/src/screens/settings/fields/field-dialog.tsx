import { Alert, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { CustomField } from '#src/client/client.ts'
import { ApiError } from '#src/client/errors.ts'
import { MAX_FIELD_LABEL_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/custom-fields.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { service } from '#web/api/service.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { FieldOptions } from '../components/field-options.tsx'
import {
  enteredOptions,
  type OptionDraft,
  optionDrafts,
  withOptionNumber,
} from '../components/option-drafts.ts'
import { CURRENCY, hasOptions } from './new-field-dialog.tsx'

/** Changes a custom field. Removing options that records have asks once more. */
export function FieldDialog({ field, close }: { field: CustomField; close: () => void }) {
  const queryClient = useQueryClient()
  const [label, setLabel] = useState(field.label)
  const [currency, setCurrency] = useState(field.currency ?? '')
  const [options, setOptions] = useState<OptionDraft[]>(() => optionDrafts(field))
  const [isRequired, setIsRequired] = useState(field.required)
  const isShown = useIsMounted()
  const save = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: (confirm: boolean) =>
      service.updateField({
        params: { id: field.id },
        ...ifMatch(field.updated_at),
        body: {
          label: label.trim(),
          required: isRequired,
          ...(hasOptions(field.type) && { options: enteredOptions(options) }),
          ...(field.type === 'money' && { currency }),
          ...(confirm && { confirm }),
        },
      }),
    onError: (error) => {
      if (isConflict(error)) queryClient.invalidateQueries({ queryKey: ['fields'] })
    },
    onSuccess: async () => {
      // Records show the labels of options, and may have lost values.
      for (const resource of ['fields', 'companies', 'deals'])
        queryClient.invalidateQueries({ queryKey: [resource] })
      notifications.show({ message: strings.saved(label.trim()), color: 'teal' })
      if (isShown()) close()
    },
  })
  const inUse = optionsInUse(field, options, save.error)
  const errors = {
    label: label.trim() === '' && strings.labelRequired,
    currency: field.type === 'money' && !CURRENCY.test(currency) && strings.currencyInvalid,
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!errors.label && !errors.currency && !save.isPending) save.mutate(inUse !== null)
  }
  return (
    <Dialog onClose={close} title={strings.editTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={strings.label}
            description={strings.labelHelp}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            error={errors.label}
            maxLength={MAX_FIELD_LABEL_LENGTH}
            required
            dir="auto"
            data-autofocus
          />
          {hasOptions(field.type) && (
            <FieldOptions
              options={options}
              onChange={(changed) => {
                setOptions(changed)
                save.reset()
              }}
            />
          )}
          {field.type === 'money' && (
            <TextInput
              label={strings.currency}
              description={strings.currencyHelp}
              value={currency}
              onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
              error={errors.currency}
              maxLength={3}
            />
          )}
          <Checkbox
            label={strings.required}
            description={strings.requiredHelp}
            checked={isRequired}
            onChange={(event) => setIsRequired(event.currentTarget.checked)}
          />
          {save.isError && (
            <Alert
              color={inUse ? 'orange' : 'red'}
              title={strings.cannotSave}
              role="alert"
              className="break-anywhere"
              styles={{ title: { color: 'var(--mantine-color-text)' } }}
            >
              {inUse ??
                (isConflict(save.error)
                  ? strings.conflict
                  : withOptionNumber(errorMessage(save.error), options))}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={save.isPending} {...(inUse && { color: 'red.9' })}>
              {inUse ? strings.removeValues : strings.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The warning that records have deleted options, if the service refused to save because of them; else null. */
function optionsInUse(field: CustomField, options: readonly OptionDraft[], error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null
  const kept = new Set(enteredOptions(options).map(({ id }) => id))
  const isRemoving = field.options.some(({ id }) => !kept.has(id))
  const [, count] = /^([\d,]+ \w+ (?:has|have)) an option of /.exec(error.details) ?? []
  return isRemoving && count ? strings.optionsInUse(field.label, count) : null
}
