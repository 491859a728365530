import { Alert, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { CustomFieldEntity, CustomFieldType } from '#src/client/client.ts'
import { CUSTOM_FIELD_TYPES, freeKey, MAX_FIELD_LABEL_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/custom-fields.ts'
import { strings as types } from '#strings/fields.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { service } from '#web/api/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { FieldOptions } from '../components/field-options.tsx'
import { enteredOptions, newOption, type OptionDraft, withOptionNumber } from '../components/option-drafts.ts'

export const KEY = /^[a-z][a-z0-9_]{0,59}$/
export const CURRENCY = /^[A-Z]{3}$/
const DEFAULT_CURRENCY = 'EUR'
export const hasOptions = (type: CustomFieldType): boolean => type === 'select' || type === 'multi_select'

/** Creates a custom field. The key is suggested from the label. */
export function NewFieldDialog({ entity, close }: { entity: CustomFieldEntity; close: () => void }) {
  const queryClient = useQueryClient()
  const existing = useQuery(fieldQueries.fields(entity)).data ?? []
  const [label, setLabel] = useState('')
  const [typedKey, setTypedKey] = useState<string | null>(null)
  const [type, setType] = useState<CustomFieldType>('text')
  const [currency, setCurrency] = useState(DEFAULT_CURRENCY)
  const [options, setOptions] = useState<OptionDraft[]>(() => [newOption()])
  const [isRequired, setIsRequired] = useState(false)
  const [isChecked, setIsChecked] = useState(false)
  const key = typedKey ?? (label.trim() ? freeKey(label, new Set(existing.map((field) => field.key))) : '')
  const isShown = useIsMounted()
  const create = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: () =>
      service.createField({
        body: {
          entity,
          label: label.trim(),
          key,
          type,
          required: isRequired,
          ...(hasOptions(type) && { options: enteredOptions(options) }),
          ...(type === 'money' && { currency }),
        },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['fields'] })
      notifications.show({ message: strings.created(label.trim()), color: 'teal' })
      if (isShown()) close()
    },
  })
  const errors = {
    label: label.trim() === '' && strings.labelRequired,
    key: label.trim() !== '' && !KEY.test(key) && strings.keyInvalid,
    currency: type === 'money' && !CURRENCY.test(currency) && strings.currencyInvalid,
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (!errors.label && !errors.key && !errors.currency && !create.isPending) create.mutate()
  }
  return (
    <Dialog onClose={close} title={strings.createTitle[entity]}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={strings.label}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            error={isChecked && errors.label}
            maxLength={MAX_FIELD_LABEL_LENGTH}
            required
            dir="auto"
            data-autofocus
          />
          <NativeSelect
            label={strings.type}
            description={strings.typeHelp}
            value={type}
            onChange={(event) => setType(event.currentTarget.value as CustomFieldType)}
            data={CUSTOM_FIELD_TYPES.map((value) => ({ value, label: types.types[value] }))}
          />
          {hasOptions(type) && (
            <FieldOptions
              options={options}
              onChange={(changed) => {
                setOptions(changed)
                if (create.isError) create.reset()
              }}
            />
          )}
          {type === 'money' && (
            <TextInput
              label={strings.currency}
              description={strings.currencyHelp}
              value={currency}
              onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
              error={isChecked && errors.currency}
              maxLength={3}
            />
          )}
          <TextInput
            label={strings.key}
            description={strings.keyHelp}
            value={key}
            onChange={(event) => setTypedKey(event.currentTarget.value || null)}
            error={(isChecked || typedKey !== null) && errors.key}
            spellCheck={false}
            maxLength={60}
          />
          <Checkbox
            label={strings.required}
            description={strings.requiredHelp}
            checked={isRequired}
            onChange={(event) => setIsRequired(event.currentTarget.checked)}
          />
          {create.isError && (
            <Alert color="red" title={strings.cannotSave} role="alert" className="break-anywhere">
              {withOptionNumber(errorMessage(create.error), options)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {strings.createButton}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
