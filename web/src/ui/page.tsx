import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { workspaceName } from '#web/format/workspace-name.ts'

interface PageProps {
  title: string
  /** Replaces the title on the page, for example with an editable one. */
  heading?: ReactNode
  /** Before the title, such as a logo. */
  mark?: ReactNode
  /** Below the title. */
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** Sets the title of the browser tab, for screens with a header of their own. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${workspaceName}`
  }, [title])
}

/** A screen with its title, which is also the title of the browser tab. */
export function Page({ title, heading, mark, description, actions, children }: PageProps) {
  usePageTitle(title)
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group
          gap="sm"
          wrap="nowrap"
          align="flex-start"
          style={{ minWidth: 0, flex: description || heading ? '1 1 16rem' : '1 1 8rem' }}
        >
          {mark}
          <Stack gap={2} flex={1} miw={0}>
            <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {heading ?? title}
            </Title>
            {description && (
              <Text c="dimmed" size="sm" component="div">
                {description}
              </Text>
            )}
          </Stack>
        </Group>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
