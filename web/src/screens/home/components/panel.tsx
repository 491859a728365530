import { Group, Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface PanelProps {
  title: string
  /** A link to the full list. */
  link?: ReactNode
  children: ReactNode
}

/** A titled panel of the dashboard. */
export function Panel({ title, link, children }: PanelProps) {
  const id = useId()
  return (
    <Paper withBorder p={{ base: 'md', lg: 'lg' }} component="section" aria-labelledby={id}>
      <Group justify="space-between" align="baseline" mb="sm" gap="xs">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {link}
      </Group>
      {children}
    </Paper>
  )
}
