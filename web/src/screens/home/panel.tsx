import { Group, Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface PanelProps {
  title: string
  /** A link to the whole of what is shown. */
  link?: ReactNode
  children: ReactNode
}

/** A part of the home screen, with a heading. */
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
