import { Group, Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useIsCompact } from './use-preferences.ts'

interface SectionProps {
  title: string
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A section of the page of a record. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId()
  const isCompact = useIsCompact()
  return (
    <Paper
      component="section"
      withBorder
      p={isCompact ? 'sm' : { base: 'sm', sm: 'md' }}
      aria-labelledby={id}
    >
      <Stack fz="sm" gap={isCompact ? 'xs' : 'sm'}>
        <Group justify="space-between" gap="xs" mih={30}>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
