import { Alert, Button, Center, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { strings } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'

interface ErrorStateProps {
  error: unknown
  retry?: () => void
  /** Whether it takes the place of a whole screen, so that its title is the heading of the page. */
  isScreen?: boolean
  /** Another button. */
  children?: ReactNode
}

/** An error message, with a button to try again. */
export function ErrorState({ error, retry, isScreen = false, children }: ErrorStateProps) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={
        isScreen ? (
          <Text component="h1" inherit>
            {strings.loadFailed}
          </Text>
        ) : (
          strings.loadFailed
        )
      }
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{errorMessage(error)}</Text>
        <Group gap="xs">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              {strings.tryAgain}
            </Button>
          )}
          {children}
        </Group>
      </Stack>
    </Alert>
  )
}

interface EmptyStateProps {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  /** Whether it takes the place of a whole screen, so that its title is the heading of the page. */
  isScreen?: boolean
}

/** Explains that there is nothing to show, and offers a next step. */
export function EmptyState({ icon, title, children, action, isScreen = false }: EmptyStateProps) {
  return (
    <Center py="xl" px="md">
      <Stack align="center" gap="xs" maw="26rem" ta="center">
        <ThemeIcon size={48} radius="xl" variant="light" color="gray" aria-hidden>
          {icon}
        </ThemeIcon>
        <Title order={isScreen ? 1 : 2} size="h4">
          {title}
        </Title>
        {children && (
          <Text c="dimmed" size="sm" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

/** Placeholder lines while text loads. */
export function SkeletonLines({ lines = 4, height = 14 }: { lines?: number; height?: number }) {
  return (
    <Stack gap="sm" aria-busy="true" aria-label={strings.loading} role="status">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
        <Skeleton key={line} height={height} width={`${95 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}
