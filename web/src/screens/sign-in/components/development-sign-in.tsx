import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { ApiError } from '#src/client/errors.ts'
import { strings } from '#strings/sign-in.ts'
import { chooseDevelopmentUser, developmentUser } from '#web/api/development-user.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { service } from '#web/api/service.ts'

/** Signs in as any user by email address. Development only. */
export function DevelopmentSignIn({ returnTo }: { returnTo: string }) {
  const suggestions = useId()
  const users = useQuery({ ...queries.users(), retry: false })
  const [email, setEmail] = useState(developmentUser() ?? '')
  const signIn = useMutation({
    meta: { handlesErrors: true },
    mutationFn: async (chosen: string) => {
      chooseDevelopmentUser(chosen.trim())
      return service.getCurrentUser()
    },
    onSuccess: () => {
      queryClient.clear()
      location.assign(returnTo)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status < 500) chooseDevelopmentUser(null)
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    signIn.mutate(email)
  }
  const known = users.data?.data.map((user) => user.email).slice(0, 8) ?? []
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {strings.developmentTitle}
        </Title>
        <Text size="sm" c="dimmed">
          {strings.developmentHelp}
        </Text>
        {known.length > 0 && (
          <Stack gap={6} component="section" aria-label={strings.existingUsers}>
            {known.map((address) => (
              <Button
                key={address}
                variant="default"
                justify="flex-start"
                loading={signIn.isPending && signIn.variables === address}
                onClick={() => signIn.mutate(address)}
              >
                {address}
              </Button>
            ))}
          </Stack>
        )}
        <TextInput
          label={known.length > 0 ? strings.otherEmail : strings.email}
          placeholder={strings.emailPlaceholder}
          list={suggestions}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          type="email"
          autoComplete="email"
          required
          error={signIn.isError && errorMessage(signIn.error)}
        />
        <datalist id={suggestions}>
          {users.data?.data.map(({ email: address }) => (
            <option key={address} value={address} />
          ))}
        </datalist>
        <Button type="submit" loading={signIn.isPending && signIn.variables === email}>
          {strings.submit}
        </Button>
      </Stack>
    </form>
  )
}
