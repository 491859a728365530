import { Alert, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import {
  DEFAULT_KEY_DAYS,
  includesRole,
  MAX_KEY_NAME_LENGTH,
  ROLES,
  type Role,
  roleOf,
  SCOPES,
  type Scope,
} from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/keys.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { CreatedKey } from './created-key.tsx'

const NEVER = 'never'
const EXPIRIES = [
  ...[7, 30, DEFAULT_KEY_DAYS, 365].map((days) => ({ value: String(days), label: strings.inDays(days) })),
  { value: NEVER, label: strings.never },
]
const DAY_MS = 86_400_000

/** Creates an API key and shows it once. */
export function NewKeyDialog({ close }: { close: () => void }) {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  const ownRole = roleOf(me?.role)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(['read'])
  const [role, setRole] = useState<Role>(ownRole)
  const [expiry, setExpiry] = useState(String(DEFAULT_KEY_DAYS))
  const [isChecked, setIsChecked] = useState(false)
  const create = useMutation({
    meta: { handlesErrors: useIsMounted() },
    mutationFn: async () => {
      const expires_at =
        expiry === NEVER ? null : new Date(Date.now() + Number(expiry) * DAY_MS).toISOString()
      return (await service.createKey({ body: { name: name.trim(), scopes, role, expires_at } })).data
    },
    // The key must not stay in memory longer than it is shown.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queries.keys().queryKey }),
  })
  const isComplete = name.trim() !== '' && scopes.length > 0
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (isComplete && !create.isPending) create.mutate()
  }
  if (create.data) return <CreatedKey created={create.data} close={close} />
  return (
    <Dialog onClose={close} title={strings.create} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={strings.name}
            description={strings.nameHelp}
            placeholder={strings.namePlaceholder}
            maxLength={MAX_KEY_NAME_LENGTH}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={isChecked && name.trim() === '' && strings.nameRequired}
            required
            data-autofocus
          />
          <Checkbox.Group
            label={strings.scopes}
            description={strings.scopesHelp}
            value={scopes}
            onChange={(chosen) => setScopes(SCOPES.filter((scope) => chosen.includes(scope)))}
            error={isChecked && scopes.length === 0 && strings.scopesRequired}
          >
            <Stack gap="xs" mt="xs">
              {SCOPES.filter((scope) => scope !== 'worker' || ownRole === 'admin').map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={strings.scope[scope][0]}
                  description={strings.scope[scope][1]}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group grow align="flex-start">
            <NativeSelect
              label={strings.role}
              description={strings.roleHelp}
              value={role}
              onChange={(event) => setRole(event.currentTarget.value as Role)}
              data={ROLES.filter((one) => includesRole(ownRole, one)).map((one) => ({
                value: one,
                label: strings.roles[one],
              }))}
              inputWrapperOrder={['label', 'input', 'description']}
            />
            <NativeSelect
              label={strings.expiry}
              value={expiry}
              onChange={(event) => setExpiry(event.currentTarget.value)}
              data={EXPIRIES}
            />
          </Group>
          {create.isError && (
            <Alert color="red" title={strings.notCreated} role="alert">
              {errorMessage(create.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {strings.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
