import { Alert, Badge, Button, Container, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/sign-in.ts'
import { queries } from '#web/api/queries.ts'
import { workspaceName } from '#web/format/workspace-name.ts'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { DevelopmentSignIn } from './components/development-sign-in.tsx'
import { defaultReturnPath } from './return-path.ts'

const route = getRouteApi('/')

/** Sign-in through the identity provider or, in development, by email address. */
export function SignInScreen() {
  const status = useQuery(queries.authenticationStatus())
  const { return_to: returnTo = defaultReturnPath() } = route.useSearch()
  useEffect(() => {
    document.title = `${strings.title} · ${workspaceName}`
  }, [])
  return (
    <Container component="main" size={460} py={{ base: 'xl', sm: '12vh' }}>
      <Stack gap="lg">
        <Stack gap={4}>
          <Group justify="space-between">
            <Title order={1}>{workspaceName}</Title>
            {status.data?.mode === 'development' && (
              <Badge color="orange" variant="light">
                {general.development}
              </Badge>
            )}
          </Group>
          <Text c="dimmed">{strings.tagline}</Text>
        </Stack>
        <Paper withBorder p="lg">
          {status.isPending && <SkeletonLines />}
          {status.isError && <ErrorState error={status.error} retry={() => status.refetch()} />}
          {status.data && (
            <Stack gap="md">
              <ProviderSignIn provider={status.data.identity_provider} returnTo={returnTo} />
              {status.data.mode === 'development' && <DevelopmentSignIn returnTo={returnTo} />}
              {status.data.mode === 'production' &&
                status.data.identity_provider === 'not_configured' &&
                status.data.access_gateway === 'not_configured' && <Text size="sm">{strings.notSetUp}</Text>}
            </Stack>
          )}
        </Paper>
      </Stack>
    </Container>
  )
}

interface ProviderProps {
  provider: 'reachable' | 'unreachable' | 'not_configured'
  returnTo: string
}

function ProviderSignIn({ provider, returnTo }: ProviderProps) {
  if (provider === 'not_configured') return null
  const address = `${'/api/auth/idp'}?${new URLSearchParams({ return_to: returnTo })}`
  return (
    <Stack gap="sm">
      {provider === 'unreachable' && <Alert color="orange">{strings.providerDown}</Alert>}
      <Button component="a" href={address} size="md" fullWidth>
        {strings.signIn}
      </Button>
      <Button component="a" href={`${address}&choose_account=true`} variant="subtle" fullWidth>
        {strings.otherAccount}
      </Button>
    </Stack>
  )
}
